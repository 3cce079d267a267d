import { randomFillSync } from "node:crypto";
import { v7 } from "uuid";
import type { NewId } from "../engine/ports/ports.ts";

/** Enough for 256 ids. */
const POOL_BYTES = 4_096;
const ID_BYTES = 16;

/**
 * Makes time-ordered UUIDs (version 7): each is greater than the one before, also if the clock stands or goes back. Random
 * bytes come from a pool, because drawing them from the system costs twice as much as all the rest of an id.
 */
export function newIds(now: () => number = Date.now): NewId {
  const pool = new Uint8Array(POOL_BYTES);
  let next = POOL_BYTES;
  let msecs = 0;
  let seq = 0;
  const draw = (): Uint8Array => {
    if (next === POOL_BYTES) {
      randomFillSync(pool);
      next = 0;
    }
    const bytes = pool.subarray(next, next + ID_BYTES);
    next += ID_BYTES;
    return bytes;
  };
  return () => {
    const random = draw();
    const time = now();
    if (time > msecs) {
      msecs = time;
      // Half of its range, so that it does not run out within a millisecond. The id does not contain these bytes otherwise.
      seq = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1;
    } else seq += 1;
    return v7({ random, msecs, seq });
  };
}
