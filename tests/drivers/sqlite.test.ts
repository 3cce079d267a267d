import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { groupCommit } from "../../lib/drivers/sql/group-commit.ts";
import { holdFolder, openSqlite } from "../../lib/drivers/sql/sqlite.ts";
import { databaseSuite } from "./database.suite.ts";

const folder = mkdtempSync(join(tmpdir(), "graphlib-sqlite-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
databaseSuite("SQLite", async () => {
  const db = await openSqlite(join(folder, `${files++}.sqlite`));
  return { db, commit: groupCommit(db), close: () => db.destroy() };
});

test("a home folder is held by one server at a time, and free again after it", () => {
  const home = join(folder, "home");
  const hold = holdFolder(home);
  expect(() => holdFolder(home)).toThrow(/in use by another Graphlib server/);
  hold.release();
  holdFolder(home).release();
});
