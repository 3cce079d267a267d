import { v7 as uuid } from "uuid";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RunStore } from "../../lib/engine/ports/ports.ts";
import type { RunEventStore } from "../../lib/engine/ports/runs.ts";
import type { TaskChange, TaskOfRun, TaskCursor, TaskStore } from "../../lib/engine/ports/tasks.ts";
import type { ThreadStore } from "../../lib/engine/ports/threads.ts";
import type { Message } from "../../lib/protocol/a2a.ts";
import type { JsonObject } from "../../lib/protocol/json.ts";
import type { StoredTask } from "../../lib/protocol/tasks.ts";
import { beginTask } from "../../lib/rules/a2a/task-fold.ts";
import { newRun } from "./runs.suite.ts";

export interface TaskStoreUnderTest {
  runs: RunStore & RunEventStore;
  threads: ThreadStore;
  tasks: TaskStore;
  close(): Promise<void>;
}

const at = (ms: number): string => new Date(ms).toISOString();
const userMessage = (messageId: string): Message => ({
  messageId,
  role: "user",
  parts: [{ kind: "text", text: "hi" }],
});

export function newTask(changes: Partial<StoredTask> = {}): StoredTask {
  const task_id = uuid();
  return {
    task_id,
    assistant_id: "a",
    context_id: "any string",
    thread_id: uuid(),
    run_ids: [task_id],
    artifact_id: uuid(),
    history: [userMessage("m1")],
    metadata: { from: "client" },
    created_at: at(1),
    state: "submitted",
    status_at: at(1),
    ...changes,
  };
}

/** Tests that every store of tasks must pass, on any database. */
export function taskStoreSuite(name: string, open: () => Promise<TaskStoreUnderTest>): void {
  describe(`tasks in ${name}`, () => {
    let store: TaskStoreUnderTest;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });

    const enqueue = (thread_id: string, run_id: string, task: TaskOfRun, metadata: JsonObject = {}) =>
      store.runs.enqueue(newRun({ run_id, thread_id, threaded: true }), {
        alone: false,
        metadata,
        create: { thread_id, metadata, config: {}, created_at: at(1) },
        task,
      });
    const begin = async (changes: Partial<StoredTask> = {}, metadata: JsonObject = {}): Promise<StoredTask> => {
      const task = newTask(changes);
      expect(await enqueue(task.thread_id, task.task_id, { begins: task }, metadata)).toBe("stored");
      return task;
    };
    const change = ({ task_id, run_ids }: StoredTask, to: Partial<TaskChange>): Promise<boolean> =>
      store.tasks.change(task_id, {
        from: ["submitted", "working"],
        run: run_ids.at(-1) ?? "",
        state: "completed",
        at: at(2),
        ...to,
      });
    const idsOf = (tasks: readonly StoredTask[]) => tasks.map(({ task_id }) => task_id);

    test("a task is stored with its run, and read as it was stored", async () => {
      const task = await begin();
      expect(await store.tasks.get(task.task_id)).toEqual(task);
      expect((await store.runs.get(task.task_id))?.thread_id).toBe(task.thread_id);
      expect(await store.tasks.get(uuid())).toBeUndefined();
    });

    test("a task changes only from the given states, and only by its newest run", async () => {
      const task = await begin();
      expect(await change(task, { run: uuid() })).toBe(false);
      expect(await change(task, { from: ["input-required"] })).toBe(false);
      const progress = beginTask(task);
      expect(await change(task, { progress })).toBe(true);
      expect(await store.tasks.get(task.task_id)).toEqual({ ...task, state: "completed", status_at: at(2), progress });
      expect(await change(task, {})).toBe(false);
    });

    test("of many answers to a waiting task, one is stored with its run", async () => {
      const task = await begin();
      const answer = (run: string) =>
        enqueue(task.thread_id, run, { resumes: task.task_id, with: userMessage("m2"), at: at(5) });
      expect(await answer(uuid())).toBe("answered");
      await change(task, { state: "input-required" });
      const runs = [uuid(), uuid(), uuid()];
      const outcomes = await Promise.all(runs.map(answer));
      expect(outcomes.toSorted()).toEqual(["answered", "answered", "stored"]);
      const won = runs[outcomes.indexOf("stored")] ?? "";
      expect(await store.tasks.get(task.task_id)).toMatchObject({
        state: "submitted",
        status_at: at(5),
        run_ids: [task.task_id, won],
        history: [{ messageId: "m1" }, { messageId: "m2" }],
      });
      const stored = await Promise.all(runs.map((run) => store.runs.get(run)));
      expect(stored.flatMap((run) => run?.run_id ?? [])).toEqual([won]);
    });

    test("active tasks, and the waiting ones of a thread, are found", async () => {
      const [first, second, third] = [await begin(), await begin({ created_at: at(2) }), await begin()];
      await change(second, { state: "working" });
      await change(third, { state: "input-required" });
      expect(idsOf(await store.tasks.active())).toEqual(idsOf([first, second]));
      expect(idsOf(await store.tasks.waiting(third.thread_id))).toEqual(idsOf([third]));
      expect(await store.tasks.waiting(first.thread_id)).toEqual([]);
    });

    test("pages contain each task that a filter finds once, newest status first", async () => {
      const tasks: StoredTask[] = [];
      for (let n = 0; n < 7; n++) tasks.push(await begin({ status_at: at(10 + (n % 3)) }));
      await begin({ assistant_id: "other" });
      const seen: StoredTask[] = [];
      let after: TaskCursor | undefined;
      do {
        const page = await store.tasks.list({ assistantId: "a" }, { after, limit: 2 });
        expect(page.total).toBe(7);
        seen.push(...page.tasks);
        after = page.tasks.at(-1);
      } while (after);
      const order = tasks.toSorted((a, b) => (`${b.status_at} ${b.task_id}` < `${a.status_at} ${a.task_id}` ? -1 : 1));
      expect(idsOf(seen)).toEqual(idsOf(order));
    });

    test("a list is filtered by context, state, time and visibility", async () => {
      const [mine, done, late] = [
        await begin({ context_id: "c" }, { owner: "ada" }),
        await begin({ context_id: "c" }, { owner: "bob" }),
        await begin({ status_at: at(9) }, { owner: "ada" }),
      ];
      await change(done, {});
      const found = async (filter: object) => {
        const { tasks, total } = await store.tasks.list({ assistantId: "a", ...filter }, { limit: 10 });
        expect(total).toBe(tasks.length);
        return idsOf(tasks);
      };
      expect(await found({ contextId: "c" })).toEqual(idsOf([done, mine]));
      expect(await found({ state: "completed" })).toEqual(idsOf([done]));
      expect(await found({ since: at(2) })).toEqual(idsOf([late, done]));
      expect(await found({ visible: [{ key: "owner", equals: "ada" }] })).toEqual(idsOf([late, mine]));
      expect(await found({ visible: [{ key: "owner", equals: "eve" }] })).toEqual([]);
    });

    test("a deleted thread's tasks are deleted, too", async () => {
      const task = await begin();
      await store.threads.delete(task.thread_id);
      expect(await store.tasks.get(task.task_id)).toBeUndefined();
    });
  });
}
