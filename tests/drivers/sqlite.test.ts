import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sqlAssistants } from "../../lib/drivers/sql/assistants.ts";
import { groupCommit } from "../../lib/drivers/sql/group-commit.ts";
import { sqlRuns } from "../../lib/drivers/sql/runs.ts";
import { holdFolder, openSqlite } from "../../lib/drivers/sql/sqlite.ts";
import { sqlTasks } from "../../lib/drivers/sql/tasks.ts";
import { localLog } from "../../lib/drivers/log/local.ts";
import { assistantStoreSuite } from "./assistants.suite.ts";
import { eventLogSuite } from "./log.suite.ts";
import { newRun, runStoreSuite } from "./runs.suite.ts";

const folder = mkdtempSync(join(tmpdir(), "graphlib-sqlite-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
async function open() {
  const db = await openSqlite(join(folder, `${files++}.sqlite`));
  const commit = groupCommit(db);
  const runs = sqlRuns(db, commit);
  return { db, commit, runs, close: () => db.destroy() };
}

runStoreSuite("SQLite", open);
assistantStoreSuite("SQLite", async () => {
  const { db, close } = await open();
  return { assistants: sqlAssistants(db), close };
});
eventLogSuite("this process over SQLite", async () => {
  const { runs, close } = await open();
  return { runs, log: localLog(runs, Date.now), close };
});

test("a task comes back as it was stored", async () => {
  const { db, commit, close } = await open();
  const tasks = sqlTasks(db, commit);
  const task = {
    task_id: "t",
    assistant_id: "a",
    context_id: "any string",
    run_ids: ["r"],
    artifact_id: "x",
    history: [],
    metadata: {},
    created_at: new Date().toISOString(),
  };
  await tasks.insert(task);
  expect(await tasks.get("t")).toEqual(task);
  expect(await tasks.get("u")).toBeUndefined();
  await close();
});

test("a write that fails takes no other write of its group with it", async () => {
  const { runs, close } = await open();
  const [a, b] = [newRun(), newRun()];
  const results = await Promise.allSettled([runs.insert(a), runs.insert(a), runs.insert(b)]);
  expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect((await runs.list(["pending"])).map((run) => run.run_id).toSorted()).toEqual([a.run_id, b.run_id].toSorted());
  await close();
});

test("a home folder is held by one server at a time, and free again after it", () => {
  const home = join(folder, "home");
  const hold = holdFolder(home);
  expect(() => holdFolder(home)).toThrow(/in use by another Graphlib server/);
  hold.release();
  holdFolder(home).release();
});
