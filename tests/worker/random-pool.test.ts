import { webcrypto } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { poolRandomValues } from "../../lib/worker/random-pool.ts";

const DRAWS = 20_000;

describe("random values from a pool", () => {
  beforeAll(() => {
    const { prototype } = webcrypto.constructor as unknown as { prototype: Crypto };
    const { getRandomValues } = prototype;
    poolRandomValues();
    return () => {
      prototype.getRandomValues = getRandomValues;
    };
  });

  it("fill the array that was given, and no byte is drawn twice", () => {
    const seen = new Set<string>();
    for (let draw = 0; draw < DRAWS; draw++) {
      const array = new Uint8Array(16);
      expect(crypto.getRandomValues(array)).toBe(array);
      seen.add(Buffer.from(array).toString("hex"));
    }
    expect(seen.size).toBe(DRAWS);
  });

  it("have every value of a byte about equally often", () => {
    const counts = Array.from({ length: 256 }, () => 0);
    for (let draw = 0; draw < DRAWS; draw++) {
      for (const byte of crypto.getRandomValues(new Uint8Array((draw % 256) + 1)))
        counts[byte] = (counts[byte] ?? 0) + 1;
    }
    const mean = counts.reduce((sum, count) => sum + count, 0) / 256;
    // Each count is within 7 standard deviations of the mean: a fair source fails once in 10^9 runs.
    for (const count of counts) expect(Math.abs(count - mean)).toBeLessThan(7 * Math.sqrt(mean));
  });

  it.each([
    new Uint8Array(0),
    new Uint16Array(4),
    new Int32Array(2),
    new Uint8Array(10_000),
    Buffer.alloc(16),
    new BigInt64Array(2),
  ])("fill any other array as before (%#)", (array) => {
    expect(crypto.getRandomValues(array)).toBe(array);
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    if (bytes.length > 0) expect(bytes.some((byte) => byte !== 0)).toBe(true);
  });

  it("refuse what was refused before", () => {
    expect(() => crypto.getRandomValues(new Uint8Array(70_000))).toThrow("65,536");
    expect(() => crypto.getRandomValues(new Float64Array(1) as never)).toThrow("integer");
    expect(() => crypto.getRandomValues([] as never)).toThrow("integer");
  });
});
