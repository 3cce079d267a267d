import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { groupCommit } from "../../lib/drivers/sql/group-commit.ts";
import { sqlSessions } from "../../lib/drivers/sql/platform/sessions.ts";
import { platformShape } from "../../lib/drivers/sql/platform/shape.ts";
import { openSqlite } from "../../lib/drivers/sql/sqlite.ts";
import type { SessionStore } from "../../lib/engine/ports/keys.ts";
import { createKeyLockout } from "../../lib/engine/key-lockout.ts";
import { createSessions, type Sessions } from "../../lib/engine/sessions.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const clock = { time: 0, now: () => clock.time };
const logger = { warn: () => undefined, error: () => undefined };
/** The calls of the store. */
let storeCalls: string[];
/** The last write that no caller waits for. */
let touching: Promise<void>;
let store: SessionStore;
let close: () => Promise<void>;
let sessions: Sessions;
const open = (keyPrint: string): Sessions => createSessions({ store, clock, logger, keyPrint });

beforeEach(async () => {
  clock.time = Date.UTC(2026, 10, 21);
  touching = Promise.resolve();
  storeCalls = [];
  const db = await openSqlite(":memory:", platformShape);
  const real = sqlSessions(db, groupCommit(db));
  store = {
    ...real,
    find: (hashes) => (storeCalls.push("find"), real.find(hashes)),
    touch: (hash, now) => (storeCalls.push("touch"), (touching = real.touch(hash, now))),
  };
  close = () => db.destroy();
  sessions = open("key");
});
afterEach(() => close());

test("an id of 256 bits is a session, its hash is none, and no two are the same", async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => sessions.start()));
  expect(new Set(ids).size).toBe(20);
  for (const id of ids) expect(Buffer.from(id, "base64url")).toHaveLength(32);
  const [id = ""] = ids;
  const hash = await sessions.find(["x".repeat(43), id]);
  if (hash === undefined) throw new Error("no session");
  expect(hash).not.toBe(id);
  expect(await store.find([id])).toEqual([]);
  expect(await store.find([hash])).toMatchObject([{ hash }]);
  expect(await sessions.find([hash])).toBeUndefined();
});

test("a session expires after 12 hours without use, and after 7 days in any case", async () => {
  const [idle, used] = [await sessions.start(), await sessions.start()];
  for (let hour = 1; hour <= 7 * 24; hour++) {
    clock.time += HOUR;
    expect((await sessions.find([used])) !== undefined).toBe(hour < 7 * 24);
    await touching;
    if (hour === 11 || hour === 12) {
      // The store is read, because `sessions.find` would count as a use.
      const rows = await store.find([hashOf(idle)]);
      expect(clock.time - (rows[0]?.last_used ?? 0)).toBe(hour * HOUR);
    }
    if (hour === 12) expect(await sessions.find([idle])).toBeUndefined();
  }
});

const hashOf = (id: string): string => createHash("sha256").update(id).digest("base64url");

test("many calls of a page cause one read in five seconds, and one write in a minute", async () => {
  const id = await sessions.start();
  for (let call = 0; call < 200; call++) {
    expect(await sessions.find([id])).toBeDefined();
    await touching;
    clock.time += 1_000;
  }
  expect(storeCalls.filter((one) => one === "find")).toHaveLength(40);
  expect(storeCalls.filter((one) => one === "touch")).toHaveLength(3);
});

test("an ended session is refused at once, even when it was cached", async () => {
  const [mine, other] = [await sessions.start(), await sessions.start()];
  await Promise.all([sessions.find([mine]), sessions.find([other])]);
  const during = sessions.find([mine]);
  await sessions.end([mine]);
  await during;
  expect(await sessions.find([mine])).toBeUndefined();
  expect(await sessions.find([other])).toBeDefined();
  const reading = (clock.time += MINUTE) && sessions.find([other]);
  await sessions.endAll();
  await reading;
  expect(await sessions.find([other])).toBeUndefined();
});

test("a session is valid after a restart with the same key only", async () => {
  const id = await sessions.start();
  expect(await open("key").find([id])).toBeDefined();
  expect(await open("another").find([id])).toBeUndefined();
});

test("a listener is called once at the end: by sign-out, by the end of all sessions, by age", async () => {
  const called: string[] = [];
  const listen = async (name: string): Promise<[string, () => void]> => {
    const id = await sessions.start();
    const hash = (await sessions.find([id])) ?? "";
    return [id, sessions.onEnd(hash, () => void called.push(name))];
  };
  const [out] = await listen("signed out");
  const [, stop] = await listen("stopped");
  await listen("old");
  stop();
  await sessions.end([out]);
  await sessions.end([out]);
  await sessions.endOld();
  expect(called).toEqual(["signed out"]);
  clock.time += 12 * HOUR;
  await sessions.endOld();
  await listen("all");
  await sessions.endAll();
  expect(called).toEqual(["signed out", "old", "all"]);
});

test("wrong keys are counted by address, and only the latest addresses are kept", () => {
  const lockout = createKeyLockout(clock, 3);
  const fail = (address: string, times: number): (number | undefined)[] =>
    Array.from({ length: times }, (_, n) => lockout.recordWrongKey(address, `key ${n}`));
  expect(fail("a", 10)).toEqual(Array.from({ length: 10 }, () => undefined));
  expect([lockout.secondsLocked("a"), lockout.secondsLocked("b")]).toEqual([60, undefined]);
  clock.time += 59_001;
  expect([lockout.secondsLocked("a"), lockout.recordWrongKey("a", "right")]).toEqual([1, 1]);
  fail("b", 1);
  fail("c", 1);
  expect(lockout.secondsLocked("a")).toBe(1);
  fail("d", 1);
  expect(lockout.secondsLocked("a")).toBeUndefined();
});

test("a listener that throws does not keep others from being called", async () => {
  const id = await sessions.start();
  const hash = (await sessions.find([id])) ?? "";
  const called: string[] = [];
  sessions.onEnd(hash, () => {
    throw new Error("broken");
  });
  sessions.onEnd(hash, () => called.push("other"));
  await sessions.end([id]);
  expect(called).toEqual(["other"]);
});

test("a listener that is added just after the end of a session is called", async () => {
  const id = await sessions.start();
  const hash = (await sessions.find([id])) ?? "";
  await sessions.end([id]);
  await expect(new Promise((resolve) => sessions.onEnd(hash, () => resolve("called")))).resolves.toBe("called");
});
