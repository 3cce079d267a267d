import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { OPEN_ACCESS } from "../../../lib/engine/access.ts";
import { findAssistant } from "../../../lib/engine/assistants.ts";
import { endRun } from "../../../lib/engine/runs/ending.ts";
import { metadataOf } from "../../../lib/engine/runs/execute.ts";
import type { TaskRecord, TaskFeed } from "../../../lib/engine/ports/tasks.ts";
import { answerTask, startTask, type TaskRequest } from "../../../lib/engine/a2a/tasks.ts";
import { feedStream } from "../../../lib/http/a2a/stream.ts";
import { serveForTest, type ServedForTest } from "../served.ts";

let served: ServedForTest;
beforeEach(async () => {
  served = await serveForTest();
});
afterEach(() => served.close());

const contextId = crypto.randomUUID();
const request = async (run: TaskRequest["run"]): Promise<TaskRequest> => ({
  assistant: await findAssistant(served.platform, served.deployment, "agent"),
  message: { messageId: "m", role: "user", parts: [{ kind: "text", text: "hi" }] },
  contextId,
  run,
  streamMode: ["updates"],
  headers: {},
  access: OPEN_ACCESS,
  metadata: {},
});

/** Runs the newest run of a task up to a question. */
async function ask(feed: TaskFeed): Promise<void> {
  const { deployment } = served;
  const [run] = await deployment.log.claim(1, metadataOf);
  if (!run) throw new Error("there is no run to claim");
  const question = { event: "updates", data: JSON.stringify({ __interrupt__: [{ id: "i", value: "And?" }] }) };
  const thread = { values: "{}", interrupts: {}, next: ["node"] };
  await endRun(deployment, run, { status: "success", thread }, [question]);
  await feed.rested();
}

/** Runs the newest run of a task to its end. */
async function complete(feed: TaskFeed): Promise<void> {
  const { deployment } = served;
  const [run] = await deployment.log.claim(1, metadataOf);
  if (!run) throw new Error("there is no run to claim");
  await endRun(deployment, run, { status: "success", thread: { values: "{}", interrupts: {}, next: [] } }, []);
  await feed.rested();
}

async function asking(): Promise<TaskFeed> {
  const feed = await startTask(served.platform, served.deployment, await request({ input: {} }));
  await ask(feed);
  return feed;
}

async function answered(before: TaskFeed): Promise<TaskFeed> {
  const { platform, deployment } = served;
  const known = await deployment.tasks.get(before.task.task_id);
  if (!known) throw new Error("the task is gone");
  return await answerTask(platform, deployment, known, await request({ resume: "yes" }));
}

const updatesOf = (feed: TaskFeed): string[] => feed.read(0, "0.3", true).updates.map(String);

describe("a subscription", () => {
  test("receives every later run of its task, each once and in order, however late it reads", async () => {
    const first = await asking();
    const subscription = served.deployment.taskFeeds.subscribe(first.task);
    const later: TaskFeed[] = [];
    for (let run = 0, feed = first; run < 3; run++) {
      feed = await answered(feed);
      later.push(feed);
      await ask(feed);
    }
    const handed: (TaskFeed | undefined)[] = [];
    for (let feed: TaskFeed | undefined = first; handed.length < 3 && feed; handed.push(feed)) {
      feed = await subscription.nextFeed(feed);
    }
    expect(handed).toEqual(later);
    expect(later[0]?.continueFrom(first)).toMatchObject({
      first: { kind: "status", status: { state: "submitted" } },
      next: 0,
    });
    expect(updatesOf(later[2] as TaskFeed).at(-1)).toContain('"final":false');
    subscription.close();
  });

  test("that is more than sixteen runs behind receives the whole task", async () => {
    const first = await asking();
    const subscription = served.deployment.taskFeeds.subscribe(first.task);
    for (let run = 0, feed = first; run < 18; run++) {
      feed = await answered(feed);
      await ask(feed);
    }
    const next = await subscription.nextFeed(first);
    expect(next?.task.run_ids.length).toBe(4);
    expect(next?.continueFrom(first).first).toMatchObject({
      kind: "task",
      task: { status: { state: "input-required" } },
    });
    subscription.close();
  });

  test.each(["0.3", "1.0"] as const)(
    "that was left behind by a slow reader goes on to the end in v%s",
    async (dialect) => {
      const first = await asking();
      const { taskFeeds } = served.deployment;
      const subscription = taskFeeds.subscribe(first.task);
      const from = "now";
      const { body } = feedStream(served.platform, first, { id: 1, dialect, from, subscription });
      let feed = first;
      for (let run = 0; run < 18; run++) {
        feed = await answered(feed);
        await ask(feed);
      }
      feed = await answered(feed);
      await complete(feed);
      const events = (await new Response(body).text()).trim().split("\n\n");
      const states = events.map((one) => /"state":"([^"]+)"/.exec(one)?.[1]?.toLowerCase().replace("task_state_", ""));
      expect([states.at(0)?.replace("_", "-"), states.at(-1)]).toEqual(["input-required", "completed"]);
      // The client for Python refuses a second task in v0.3, and takes `final` for the end.
      const isTask = (one: string): boolean => /"result":\{("kind":"task"|"task":)/.test(one);
      expect(events.filter(isTask)).toHaveLength(dialect === "0.3" ? 1 : 2);
      expect(events.filter((one) => one.includes('"final":true'))).toEqual(dialect === "0.3" ? events.slice(-1) : []);
    },
  );

  test("is never silent for 5 s, after which the client for Python would give up", async () => {
    const feed = await asking();
    const subscription = served.deployment.taskFeeds.subscribe(feed.task);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const { body } = feedStream(served.platform, feed, { id: 1, dialect: "1.0", from: "now", subscription });
      const reader = body?.getReader();
      await reader?.read();
      vi.advanceTimersByTime(4_999);
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(": ping\n\n");
      await reader?.cancel();
    } finally {
      vi.useRealTimers();
    }
  });

  test("ends when the feeds stop, also one that is opened then", async () => {
    const { taskFeeds } = served.deployment;
    const feed = await asking();
    const waiting = taskFeeds.subscribe(feed.task).nextFeed(feed);
    await taskFeeds.stop();
    expect(await waiting).toBeUndefined();
    expect(await taskFeeds.subscribe(feed.task).nextFeed(feed)).toBeUndefined();
  });

  test("ends when the client leaves, before and after it was read, and frees its place", async () => {
    const { taskFeeds } = served.deployment;
    const feed = await asking();
    const { task_id } = feed.task;
    const stream = () =>
      feedStream(served.platform, taskFeeds.atRest(feed.task, feed.progress()), {
        id: 1,
        dialect: "1.0",
        from: "now",
        subscription: taskFeeds.subscribe(feed.task),
      });
    await stream().body?.cancel();
    expect(taskFeeds.isSubscribed(task_id)).toBe(false);
    const reader = stream().body?.getReader();
    await reader?.read();
    expect(taskFeeds.isSubscribed(task_id)).toBe(true);
    await reader?.cancel();
    expect(taskFeeds.isSubscribed(task_id)).toBe(false);
  });

  test("is refused when there are too many", async () => {
    const { taskFeeds } = served.deployment;
    const task: TaskRecord = (await asking()).task;
    const all = Array.from({ length: 4_096 }, () => taskFeeds.subscribe(task));
    expect(() => taskFeeds.subscribe(task)).toThrow("4096 subscriptions");
    all[0]?.close();
    all[0]?.close();
    taskFeeds.subscribe(task);
    expect(() => taskFeeds.subscribe(task)).toThrow("4096 subscriptions");
  });
});
