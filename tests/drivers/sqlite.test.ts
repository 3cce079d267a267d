import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { CompiledQuery } from "kysely";
import { runReads } from "../../lib/drivers/sql/run-statements.ts";
import { groupCommit } from "../../lib/drivers/sql/group-commit.ts";
import { platformShape } from "../../lib/drivers/sql/platform/shape.ts";
import { deploymentShape } from "../../lib/drivers/sql/migrations.ts";
import { lockFolder, openSqlite } from "../../lib/drivers/sql/sqlite.ts";
import { databaseSuite } from "./database.suite.ts";
import { expectOldThreadsFound } from "./thread-search.suite.ts";
import { lineSuite } from "./lines.suite.ts";
import { platformSuite } from "./platform.suite.ts";

const folder = mkdtempSync(join(tmpdir(), "graphlib-sqlite-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
databaseSuite("SQLite", async () => {
  const db = await openSqlite(join(folder, `${files++}.sqlite`), deploymentShape);
  return { db, commit: groupCommit(db), close: () => db.destroy() };
});

const openPlatform = async () => {
  const db = await openSqlite(join(folder, `${files++}.sqlite`), platformShape);
  return { db, commit: groupCommit(db), close: () => db.destroy() };
};
platformSuite("SQLite", openPlatform);
lineSuite("SQLite", openPlatform);

test("threads of an older version are found by their metadata", async () => {
  await expectOldThreadsFound(async (shape) => {
    const db = await openSqlite(join(folder, "old.sqlite"), shape);
    return { db, commit: groupCommit(db) };
  });
});

test("the events after an id are found in an index, not by a scan of earlier ones", async () => {
  const db = await openSqlite(join(folder, "plan.sqlite"), deploymentShape);
  let plan = "";
  const explainer = {
    async executeQuery<Row>(query: CompiledQuery<Row>) {
      const explained = await db.executeQuery<{ detail: string }>({ ...query, sql: `explain query plan ${query.sql}` });
      plan = explained.rows.map(({ detail }) => detail).join("\n");
      return { rows: [] };
    },
  };
  await runReads(db).read(explainer, { run_id: "r", after: 7, limit: 32 });
  expect(plan).toMatch(/^SEARCH run_events USING INDEX \S+ \(run_id=\? AND first_event>\?\)/);
  await db.destroy();
});

test("a home folder is locked by one server at a time, and unlocked afterwards", () => {
  const home = join(folder, "home");
  const hold = lockFolder(home);
  expect(() => lockFolder(home)).toThrow(/in use by another Graphlib server/);
  hold.release();
  lockFolder(home).release();
});
