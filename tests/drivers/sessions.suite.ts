import type { Kysely } from "kysely";
import { expect, test } from "vitest";
import type { GroupCommit } from "../../lib/drivers/sql/group-commit.ts";
import { sqlSessions } from "../../lib/drivers/sql/platform/sessions.ts";
import type { PlatformTables } from "../../lib/drivers/sql/platform/tables.ts";

interface SessionsUnderTest {
  db: Kysely<PlatformTables>;
  commit: GroupCommit<PlatformTables>;
  close(): Promise<void>;
}

/** Tests that every store of sessions must pass. */
export function sessionStoreSuite(name: string, open: () => Promise<SessionsUnderTest>): void {
  test(`sessions in ${name} are found by their hashes, ended, and swept when they are old`, async () => {
    const { db, commit, close } = await open();
    const sessions = sqlSessions(db, commit);
    const session = (hash: string, changes = {}) => ({
      hash,
      key_print: "key",
      created_at: 2 ** 41,
      last_used: 2 ** 41,
      ...changes,
    });
    const [a, b] = [session("a"), session("b", { key_print: "another" })];
    for (const one of [a, b, session("old", { created_at: 1 }), session("idle", { last_used: 5 })]) {
      await sessions.insert(one);
    }
    const many = Array.from({ length: 62 }, (_, n) => `none ${n}`);
    expect(await sessions.find([])).toEqual([]);
    expect(await sessions.find(["a"])).toEqual([a]);
    expect(await sessions.find(["A"])).toEqual([]);
    const found = await sessions.find([...many, "b", "a"]);
    expect(found.toSorted((one, other) => (one.hash < other.hash ? -1 : 1))).toEqual([a, b]);
    await sessions.touch("a", 2 ** 41 + 7);
    expect(await sessions.find(["a"])).toEqual([{ ...a, last_used: 2 ** 41 + 7 }]);
    await sessions.touch("none", 1);
    await sessions.sweep({ createdBefore: 2, usedBefore: 6 });
    expect(await sessions.find(["old", "idle", "b"])).toEqual([b]);
    await sessions.endAll({ keyPrint: "key" });
    expect(await sessions.find(["b", "a"])).toHaveLength(1);
    await sessions.insert(b);
    await sessions.end(["a", "none"]);
    await sessions.end([]);
    expect(await sessions.find(["b", "a"])).toEqual([b]);
    await sessions.endAll();
    expect(await sessions.find(["b", "a"])).toEqual([]);
    await close();
  });
}
