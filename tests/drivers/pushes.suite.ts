import { v7 as uuid } from "uuid";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AssistantStore } from "../../lib/engine/ports/assistants.ts";
import type { RunStore } from "../../lib/engine/ports/ports.ts";
import type { RunEventStore } from "../../lib/engine/ports/runs.ts";
import type {
  NotificationStore,
  PushNotification,
  PushConfigStore,
  StoredPushConfig,
} from "../../lib/engine/ports/pushes.ts";
import type { TaskStore } from "../../lib/engine/ports/tasks.ts";
import type { ThreadStore } from "../../lib/engine/ports/threads.ts";
import type { StoredTask } from "../../lib/protocol/tasks.ts";
import { newRun } from "./runs.suite.ts";
import { newTask } from "./tasks.suite.ts";

export interface PushStoreUnderTest {
  runs: RunStore & RunEventStore;
  threads: ThreadStore;
  assistants: AssistantStore;
  tasks: TaskStore;
  pushes: PushConfigStore;
  notifications: NotificationStore;
  close(): Promise<void>;
}

/** The stores that the suite needs. */
function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("nothing is there");
  return value;
}

const at = (ms: number): string => new Date(ms).toISOString();

function newPush(task_id: string, changes: Partial<StoredPushConfig> = {}): StoredPushConfig {
  const address = { host: "example.com", sealed: "1.k.x", dialect: "1.0" as const };
  return { task_id, config_id: "c", ...address, created_at: at(1), ...changes };
}

function newNotification(
  { task_id, config_id, host }: StoredPushConfig,
  seq: number,
  created = 1_000,
): PushNotification {
  const what = { kind: "status" as const, body: `{"n":${seq}}`, content_type: "application/a2a+json" };
  return { letter_id: `${task_id} ${config_id} ${seq}`, task_id, config_id, seq, host, created, ...what };
}

/** Tests that every store of push notifications must pass, on any database. */
export function pushStoreSuite(name: string, open: () => Promise<PushStoreUnderTest>): void {
  let store: PushStoreUnderTest;
  const setUp = (): void => {
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });
  };
  const begin = async (
    push?: (task: StoredTask) => StoredPushConfig,
    changes: Partial<StoredTask> = {},
  ): Promise<StoredTask> => {
    const task = newTask(changes);
    const { thread_id, task_id } = task;
    const create = { thread_id, metadata: {}, config: {}, created_at: at(1) };
    const place = { alone: false, metadata: {}, create, task: { begins: task, push: push?.(task) } };
    expect(await store.runs.enqueue(newRun({ run_id: task_id, thread_id, threaded: true }), place)).toBe("stored");
    return task;
  };
  /** Changes the task, and stores notifications with these numbers for each configuration. */
  const storeNotifications = ({ task_id }: StoredTask, seqs: readonly number[], created?: number): Promise<boolean> =>
    store.tasks.change(task_id, {
      from: ["submitted", "working"],
      run: task_id,
      state: "working",
      at: at(2),
      notifications: (pushes) => pushes.flatMap((push) => seqs.map((seq) => newNotification(push, seq, created))),
    });
  const bodies = (taken: readonly { body: string }[]) => taken.map(({ body }) => body).toSorted();

  describe(`push configurations of tasks in ${name}`, () => {
    setUp();

    test("one is stored with its task and its run, or with a run that resumes the task", async () => {
      const task = await begin(({ task_id }) => newPush(task_id));
      const { task_id, thread_id } = task;
      expect(await store.pushes.list(task_id)).toEqual([newPush(task_id)]);
      const run = newRun({ run_id: uuid(), thread_id, threaded: true });
      const push = newPush(task_id, { config_id: "d", created_at: at(2) });
      const answer = { resumes: task_id, with: known(newTask().history[0]), at: at(3), push };
      const place = { alone: false, metadata: {}, task: answer };
      expect(await store.runs.enqueue(run, place)).toBe("answered");
      expect(await store.pushes.list(task_id)).toHaveLength(1);
      await store.tasks.change(task_id, { from: ["submitted"], run: task_id, state: "input-required", at: at(2) });
      expect(await store.runs.enqueue(run, place)).toBe("stored");
      expect(await store.pushes.list(task_id)).toEqual([newPush(task_id), push]);
    });

    test("one replaces that of its id, and a task's number of them is limited even under concurrency", async () => {
      const { task_id } = await begin();
      expect(await store.pushes.put(newPush(uuid()), 3)).toBe("missing");
      const ids = ["a", "b", "c", "d", "e"];
      const put = await Promise.all(ids.map((config_id) => store.pushes.put(newPush(task_id, { config_id }), 3)));
      expect(put.toSorted()).toEqual(["full", "full", "stored", "stored", "stored"]);
      const changed = newPush(task_id, { config_id: "a", host: "example.org", dialect: "0.3", created_at: at(9) });
      expect(await store.pushes.put(changed, 3)).toBe("stored");
      expect((await store.pushes.list(task_id))[0]).toEqual({ ...changed, created_at: at(1) });
    });

    test("its waiting notifications are given up when one is deleted, which is idempotent", async () => {
      const task = await begin(({ task_id }) => newPush(task_id));
      await storeNotifications(task, [1]);
      for (let n = 0; n < 2; n++) await store.pushes.delete(task.task_id, "c", 2_000);
      expect(await store.pushes.list(task.task_id)).toEqual([]);
      expect(await store.notifications.claim(10, 5_000, 9_000)).toEqual([]);
      const why = "the configuration was deleted";
      expect(await store.notifications.list({ limit: 10 })).toMatchObject([{ state: "given_up", why, due_at: null }]);
    });

    test("they and their notifications are deleted with the task's thread or assistant", async () => {
      const made = { created_at: at(1), updated_at: at(1), config: {}, context: {}, metadata: {}, version: 1 };
      const assistant = { assistant_id: uuid(), graph_id: "g", name: "g", description: null, ...made };
      await store.assistants.ensure(assistant);
      const push = ({ task_id }: StoredTask): StoredPushConfig => newPush(task_id);
      const tasks = [await begin(push), await begin(push, { assistant_id: assistant.assistant_id }), await begin(push)];
      for (const task of tasks) await storeNotifications(task, [1]);
      await store.threads.delete(known(tasks[0]).thread_id);
      await store.assistants.delete(assistant.assistant_id);
      const left = await Promise.all(tasks.map(({ task_id }) => store.pushes.list(task_id)));
      expect(left.map(({ length }) => length)).toEqual([0, 0, 1]);
      expect(await store.notifications.list({ limit: 10 })).toMatchObject([{ task_id: known(tasks[2]).task_id }]);
    });
  });

  describe(`push notifications of tasks in ${name}`, () => {
    setUp();

    test("they are stored once with the change that they report, and not if it is refused", async () => {
      const task = await begin(({ task_id }) => newPush(task_id, { dialect: "0.3" }));
      expect(
        await store.tasks.change(task.task_id, {
          from: ["completed"],
          run: task.task_id,
          state: "failed",
          at: at(2),
          notifications: () => {
            throw new Error("must not be called");
          },
        }),
      ).toBe(false);
      await storeNotifications(task, [1, 2]);
      await storeNotifications(task, [2, 3]);
      expect(await store.notifications.list({ limit: 10 })).toHaveLength(3);
      expect(await store.notifications.claim(10, 999, 5_000)).toEqual([]);
      const [first, ...others] = await store.notifications.claim(10, 1_000, 5_000);
      const { task_id } = task;
      const content_type = "application/a2a+json";
      expect(first).toEqual({
        letter_id: `${task_id} c 1`,
        task_id,
        host: "example.com",
        body: '{"n":1}',
        content_type,
        attempt: 1,
        sealed: "1.k.x",
      });
      expect(others).toEqual([]);
    });

    test("no notification is made for a task without push configurations", async () => {
      const task = await begin();
      const change = { from: ["submitted"] as const, run: task.task_id, state: "working" as const, at: at(2) };
      const notifications = () => {
        throw new Error("must not be called");
      };
      expect(await store.tasks.change(task.task_id, { ...change, notifications })).toBe(true);
    });

    test("a notification waits until the previous one is delivered or given up, whoever claims", async () => {
      const task = await begin(({ task_id }) => newPush(task_id));
      await store.pushes.put(newPush(task.task_id, { config_id: "d" }), 16);
      await storeNotifications(task, [1, 2, 3]);
      const claims = await Promise.all(Array.from({ length: 4 }, () => store.notifications.claim(7, 1_000, 5_000)));
      const [one, two] = claims.flat();
      expect(bodies(claims.flat())).toEqual(['{"n":1}', '{"n":1}']);
      expect(await store.notifications.nextDue()).toBe(5_000);
      await store.notifications.settle(known(one), { state: "waiting", due: 9_000, status: 503, why: "answered 503" });
      await store.notifications.settle(known(two), { state: "delivered", settled: 2_000, status: 200 });
      expect(await store.notifications.nextDue()).toBe(1_000);
      expect(bodies(await store.notifications.claim(7, 2_000, 6_000))).toEqual(['{"n":2}']);
      const [again] = await store.notifications.claim(7, 5_999, 20_000);
      expect(again).toBeUndefined();
      expect(await store.notifications.claim(1, 9_000, 20_000)).toMatchObject([{ attempt: 2 }]);
    });

    test("none goes to a busy host, nor does it count for the next due time", async () => {
      const task = await begin(({ task_id }) => newPush(task_id, { host: "slow.example" }));
      await store.pushes.put(newPush(task.task_id, { config_id: "d", host: "other.example" }), 16);
      await storeNotifications(task, [1]);
      expect(await store.notifications.claim(7, 1_000, 5_000, ["slow.example", "other.example"])).toEqual([]);
      expect(await store.notifications.nextDue(["slow.example", "other.example"])).toBeUndefined();
      expect(await store.notifications.claim(7, 1_000, 5_000, ["slow.example"])).toMatchObject([
        { host: "other.example" },
      ]);
      expect(await store.notifications.nextDue(["other.example"])).toBe(1_000);
    });

    test("one that was not delivered is due again, and its former claim is void", async () => {
      const task = await begin(({ task_id }) => newPush(task_id));
      await storeNotifications(task, [1]);
      const [first] = await store.notifications.claim(1, 1_000, 5_000);
      const [second] = await store.notifications.claim(1, 5_000, 9_000);
      expect(second).toEqual({ ...first, attempt: 2 });
      await store.notifications.settle(known(first), { state: "given_up", settled: 6_000, why: "late" });
      expect(await store.notifications.nextDue()).toBe(9_000);
      await store.notifications.settle(known(second), { state: "delivered", settled: 6_000, status: 204 });
      expect(await store.notifications.nextDue()).toBeUndefined();
      const shown = { kind: "status", host: "example.com", state: "delivered", attempt: 2, status: 204, why: null };
      expect(await store.notifications.list({ limit: 10 })).toMatchObject([
        { ...shown, created_at: at(1_000), due_at: null },
      ]);
    });

    test("a list is filtered by assistant and task, newest first, with the time of the next attempt", async () => {
      const push = ({ task_id }: StoredTask): StoredPushConfig => newPush(task_id);
      const [mine, other] = [await begin(push), await begin(push, { assistant_id: "other" })];
      await storeNotifications(mine, [1], 1_000);
      await storeNotifications(other, [1], 2_000);
      const found = async (filter: object) =>
        (await store.notifications.list({ limit: 10, ...filter })).map(({ task_id }) => task_id);
      expect(await found({})).toEqual([other.task_id, mine.task_id]);
      expect(await found({ limit: 1 })).toEqual([other.task_id]);
      expect(await found({ taskId: mine.task_id })).toEqual([mine.task_id]);
      expect(await found({ assistantId: "other" })).toEqual([other.task_id]);
      expect(await found({ assistantId: "other", taskId: mine.task_id })).toEqual([]);
      expect(await store.notifications.list({ limit: 1 })).toMatchObject([{ state: "waiting", due_at: at(2_000) }]);
    });

    test("finished ones are swept by age and by number, and waiting ones stay", async () => {
      const task = await begin(({ task_id }) => newPush(task_id));
      await storeNotifications(task, [1, 2, 3, 4, 5, 6]);
      for (let n = 1; n <= 5; n++) {
        const [notification] = await store.notifications.claim(1, 1_000, 5_000);
        await store.notifications.settle(known(notification), { state: "delivered", settled: n * 1_000, status: 200 });
      }
      const left = async () =>
        (await store.notifications.list({ limit: 10 })).map(({ letter_id }) => letter_id.slice(-1));
      await store.notifications.sweep(1_000, 100);
      expect(await left()).toEqual(["6", "5", "4", "3", "2"]);
      await store.notifications.sweep(0, 2);
      expect(await left()).toEqual(["6", "5", "4"]);
    });
  });
}
