import { sql } from "kysely";
import type { TaskRecord, TaskChange, TaskFilter, TaskOfRun, TaskCursor, TaskStore } from "../../engine/ports/tasks.ts";
import type { TaskState } from "../../protocol/a2a.ts";
import type { StoredTask } from "../../protocol/tasks.ts";
import { taskTransitions } from "../../rules/a2a/task-states.ts";
import { countRows } from "./count-rows.ts";
import { matchesVisibility } from "./dialect.ts";
import type { GroupCommit } from "./group-commit.ts";
import { fromJson } from "./json-column.ts";
import { prepared } from "./prepared.ts";
import { insertNotifications } from "./push-notifications.ts";
import type { threadWrites } from "./run-statements.ts";
import type { Db, Tables, TasksTable } from "./tables.ts";
import { insertPushConfig, pushConfigsOf } from "./task-pushes.ts";

export function sqlTasks(db: Db, commit: GroupCommit<Tables>): TaskStore {
  const byId = prepared((input: { taskId: string }) =>
    db.selectFrom("tasks").selectAll().where("task_id", "=", input.taskId),
  );
  const change = prepared((input: StateChange) =>
    db
      .updateTable("tasks")
      .set({
        state: input.state,
        status_at: input.at,
        heard: sql<string | null>`coalesce(${input.heard}, heard)`,
      })
      .where("task_id", "=", input.taskId)
      .where("run_id", "=", input.run)
      .where("state", "in", [input.from, input.or])
      .returning("task_id"),
  );
  return {
    async get(taskId) {
      const [row] = await byId(db, { taskId });
      return row && fromTaskRow(row);
    },
    list: (filter, page) => list(db, filter, page),
    async active() {
      return (await active(db).orderBy("created_at").execute()).map(fromTaskRow);
    },
    async ofRun({ run_id, thread_id }) {
      const ofThread = active(db).where("thread_id", "=", thread_id).where("run_id", "=", run_id);
      const row = await ofThread.executeTakeFirst();
      return row && fromTaskRow(row);
    },
    async waiting(threadId) {
      const rows = await db
        .selectFrom("tasks")
        .selectAll()
        .where("thread_id", "=", threadId)
        .where("state", "=", "input-required")
        .limit(2)
        .execute();
      return rows.map(fromTaskRow);
    },
    change: (taskId, { from, notifications, progress, ...to }) =>
      commit(async (tx) => {
        const heardText = progress ? JSON.stringify(progress) : null;
        const [first, second = first] = from;
        const rows = await change(tx, { ...to, taskId, heard: heardText, from: first, or: second });
        if (rows.length === 0) return false;
        const pushes = notifications ? await pushConfigsOf(tx, taskId) : [];
        if (notifications && pushes.length > 0) await insertNotifications(tx, notifications(pushes));
        return true;
      }),
  };
}

function active(db: Db) {
  const states = [sql.lit<TaskState>("submitted"), sql.lit<TaskState>("working")];
  return db.selectFrom("tasks").selectAll().where("state", "in", states);
}

/** Parameters of the statement that changes a task's state. */
interface StateChange extends Pick<TaskChange, "run" | "state" | "at"> {
  taskId: string;
  heard: string | null;
  from: TaskState;
  or: TaskState;
}

async function list(db: Db, filter: TaskFilter, { after, limit }: { after?: TaskCursor; limit: number }) {
  let page = matching(db, filter).selectAll("tasks");
  if (after) {
    page = page.where((eb) =>
      eb.or([
        eb("status_at", "<", after.status_at),
        eb.and([eb("status_at", "=", after.status_at), eb("task_id", "<", after.task_id)]),
      ]),
    );
  }
  const [rows, total] = await Promise.all([
    page.orderBy("status_at", "desc").orderBy("task_id", "desc").limit(limit).execute(),
    countRows(matching(db, filter)),
  ]);
  return { tasks: rows.map(fromTaskRow), total };
}

function matching(db: Db, { assistantId, contextId, state, since, visible }: TaskFilter) {
  let query = db.selectFrom("tasks").where("tasks.assistant_id", "=", assistantId);
  if (contextId !== undefined) query = query.where("context_id", "=", contextId);
  if (state !== undefined) query = query.where("state", "=", state);
  if (since !== undefined) query = query.where("status_at", ">=", since);
  if (!visible) return query;
  const threads = db
    .selectFrom("threads")
    .select("threads.thread_id")
    .where(matchesVisibility(db, "threads.metadata", visible));
  return query.where("tasks.thread_id", "in", threads);
}

/** Inserts or resumes a task, in the transaction that stores its run. Returns false when the task does not wait. */
export async function writeTask(
  { beginTask }: Pick<ReturnType<typeof threadWrites>, "beginTask">,
  tx: Db,
  task: TaskOfRun,
  runId: string,
): Promise<boolean> {
  if ("begins" in task) {
    await beginTask(tx, toTaskRow(task.begins));
    if (task.push) await insertPushConfig(tx, task.push);
    return true;
  }
  // The update comes first: it locks the row, so what is read from it stays true until the transaction ends.
  const row = await tx
    .updateTable("tasks")
    .set({ state: taskTransitions["input-required"].resume, status_at: task.at, run_id: runId })
    .where("task_id", "=", task.resumes)
    .where("state", "=", "input-required")
    .returning(["run_ids", "history"])
    .executeTakeFirst();
  if (!row) return false;
  const run_ids = JSON.stringify([...fromJson<string[]>(row.run_ids), runId]);
  const history = JSON.stringify([...fromJson<unknown[]>(row.history), task.with]);
  await tx.updateTable("tasks").set({ run_ids, history }).where("task_id", "=", task.resumes).execute();
  if (task.push) await insertPushConfig(tx, task.push);
  return true;
}

/** Deletes tasks with their push configurations and notifications. */
export async function deleteTasks(tx: Db, column: "thread_id" | "assistant_id", id: string): Promise<void> {
  const tasks = tx.selectFrom("tasks").select("task_id").where(column, "=", id);
  await tx.deleteFrom("push_letters").where("task_id", "in", tasks).execute();
  await tx.deleteFrom("task_pushes").where("task_id", "in", tasks).execute();
  await tx.deleteFrom("tasks").where(column, "=", id).execute();
}

function toTaskRow(task: StoredTask): TasksTable {
  return {
    ...task,
    run_id: task.run_ids.at(-1) ?? task.task_id,
    run_ids: JSON.stringify(task.run_ids),
    history: JSON.stringify(task.history),
    metadata: JSON.stringify(task.metadata),
    heard: null,
  };
}

function fromTaskRow({ run_id: _run, heard, ...row }: TasksTable): TaskRecord {
  return {
    ...row,
    run_ids: fromJson(row.run_ids),
    history: fromJson(row.history),
    metadata: fromJson(row.metadata),
    ...(heard !== null && { progress: fromJson<TaskRecord["progress"]>(heard) }),
  };
}
