import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { OPEN_ACCESS } from "../../../lib/engine/access.ts";
import { findAssistant } from "../../../lib/engine/assistants.ts";
import { metadataOf } from "../../../lib/engine/runs/execute.ts";
import { endRun } from "../../../lib/engine/runs/ending.ts";
import type { StoredRun } from "../../../lib/engine/ports/ports.ts";
import type { TaskFeed } from "../../../lib/engine/ports/tasks.ts";
import { createTaskFeeds } from "../../../lib/engine/a2a/task-feeds.ts";
import { readTask, startTask } from "../../../lib/engine/a2a/tasks.ts";
import type { NewEvent } from "../../../lib/protocol/stream.ts";
import { stateOf } from "../../../lib/rules/a2a/task-fold.ts";
import { taskOf } from "../../../lib/rules/a2a/task.ts";
import { serveForTest, type ServedForTest } from "../served.ts";

let served: ServedForTest;
/** The number of reads of any run's events. */
let reads = 0;
beforeEach(async () => {
  served = await serveForTest();
  const { log } = served.deployment;
  const { read } = log;
  reads = 0;
  log.read = (runId, after) => {
    reads++;
    return read(runId, after);
  };
});
afterEach(() => served.close());

async function send(contextId: string = crypto.randomUUID()): Promise<TaskFeed> {
  const { platform, deployment } = served;
  return await startTask(platform, deployment, {
    assistant: await findAssistant(platform, deployment, "agent"),
    message: { messageId: "m", role: "user", parts: [{ kind: "text", text: "hi" }] },
    contextId,
    run: { input: {} },
    streamMode: ["messages-tuple", "updates"],
    headers: {},
    access: OPEN_ACCESS,
    metadata: {},
  });
}

async function claim(): Promise<StoredRun> {
  const [run] = await served.deployment.log.claim(1, metadataOf);
  if (!run) throw new Error("there is no run to claim");
  return run;
}

async function begin(contextId?: string): Promise<{ feed: TaskFeed; run: StoredRun }> {
  const feed = await send(contextId);
  return { feed, run: await claim() };
}

const token = (text: string): NewEvent => ({
  event: "messages",
  data: JSON.stringify([{ type: "ai", content: text, id: "m1" }, {}]),
});
const update = (text: string): NewEvent => ({
  event: "updates",
  data: JSON.stringify({ node: { messages: [{ type: "ai", content: text, id: "m1" }] } }),
});

/** Collects all updates that one listener receives, from its start on; the listener may be slow. */
async function collect(feed: TaskFeed, from: "beginning" | "now", slow = 0): Promise<string[]> {
  let { next } = feed.listen(from);
  const received: string[] = [];
  for (;;) {
    const batch = feed.read(next, "1.0");
    received.push(...batch.updates);
    next = batch.next;
    if (batch.updates.length === 0 && batch.over) return received;
    if (batch.updates.length === 0) await feed.changed(next);
    for (let turn = 0; turn < slow; turn++) await new Promise((done) => setImmediate(done));
  }
}

describe("a task's feed", () => {
  test("reads the log once, for any number of listeners", async () => {
    const words = Array.from({ length: 50 }, (_, n) => `word${n} `);
    const readsWith = async (listeners: number): Promise<number> => {
      const { feed, run } = await begin();
      reads = 0;
      const all = Array.from({ length: listeners }, () => collect(feed, "beginning"));
      for (const word of words) await served.deployment.log.append(run.run_id, run.token, [token(word)]);
      await endRun(served.deployment, run, { status: "success" }, [update(words.join(""))]);
      const received = await Promise.all(all);
      expect(new Set(received.map((one) => one.join("\n"))).size).toBe(1);
      expect(received[0]?.at(-1)).toContain("TASK_STATE_COMPLETED");
      return reads;
    };
    // A reader reads once for each batch that it finds, and once more when it finds none.
    const most = 2 * (words.length + 3);
    expect(await readsWith(1)).toBeLessThanOrEqual(most);
    expect(await readsWith(500)).toBeLessThanOrEqual(most);
  });

  test("sends all listeners the same updates in the same order, however late or slow they are", async () => {
    const listener = fc.record({ after: fc.nat(12), slow: fc.nat(3) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 12 }),
        fc.array(listener, { minLength: 1, maxLength: 6 }),
        async (pieces, listeners) => {
          const { feed, run } = await begin();
          const all = collect(feed, "beginning");
          const joining: Promise<string[]>[] = [];
          for (const [n, piece] of pieces.entries()) {
            for (const one of listeners) if (one.after === n) joining.push(collect(feed, "now", one.slow));
            served.clock.time += 60;
            await served.deployment.log.append(run.run_id, run.token, [token(piece)]);
          }
          await endRun(served.deployment, run, { status: "success" }, [update(pieces.join(""))]);
          const whole = await all;
          for (const late of await Promise.all(joining)) expect(whole.slice(whole.length - late.length)).toEqual(late);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("stores the end before it sends it", async () => {
    const { feed, run } = await begin();
    const received = collect(feed, "beginning");
    await endRun(served.deployment, run, { status: "success" }, [update("hello")]);
    await feed.rested();
    const stored = await served.deployment.tasks.get(feed.task.task_id);
    expect(stored?.state).toBe("completed");
    expect(stored && taskOf(stored, stored.progress ?? feed.progress())).toEqual(taskOf(feed.task, feed.progress()));
    expect((await received).length).toBeGreaterThan(0);
  });

  test("shows the end that another server has stored before", async () => {
    const { feed, run } = await begin();
    const { deployment } = served;
    const { change } = deployment.tasks;
    let earlier = "";
    deployment.tasks.change = async (id, changed) => {
      if (changed.progress === undefined) return await change(id, changed);
      earlier = new Date(Date.parse(changed.at) - 2).toISOString();
      const stages = [changed.progress.stages[0], { state: changed.state, at: earlier }] as const;
      await change(id, { ...changed, at: earlier, progress: { ...changed.progress, stages } });
      return await change(id, changed);
    };
    const received = collect(feed, "beginning");
    await endRun(deployment, run, { status: "success" }, [update("hello")]);
    await feed.rested();
    expect(taskOf(feed.task, feed.progress()).status).toMatchObject({ state: "completed", timestamp: earlier });
    expect((await received).at(-1)).toContain(earlier);
    const stored = await deployment.tasks.get(feed.task.task_id);
    const read = stored && (await readTask(deployment, stored));
    expect(read && taskOf(read.task, read.progress)).toEqual(taskOf(feed.task, feed.progress()));
  });

  test("is continued by the next process, with all earlier updates", async () => {
    const { feed, run } = await begin();
    await served.deployment.log.append(run.run_id, run.token, [token("hel")]);
    await endRun(served.deployment, run, { status: "error", error: { error: "E", message: "kaput" } });
    await feed.rested();
    await served.deployment.tasks.change(feed.task.task_id, {
      from: ["failed"],
      run: run.run_id,
      state: "working",
      at: feed.task.created_at,
    });
    const { platform, deployment } = served;
    const next = { ...deployment, taskFeeds: createTaskFeeds(platform, deployment) };
    await next.taskFeeds.recover();
    const [task] = await deployment.tasks.active();
    if (!task) throw new Error("there is no task under way");
    await next.taskFeeds.find(task)?.rested();
    const read = await readTask(next, task);
    expect(read && stateOf(read.progress)).toBe("failed");
    expect(read && taskOf(read.task, read.progress).artifacts?.[0]?.parts).toEqual([{ kind: "text", text: "hel" }]);
  });

  test("of a run that waited long is stored as working when the run begins", async () => {
    const { feed: first, run } = await begin();
    const second = await send(first.task.context_id);
    const stateOfRow = async ({ task }: TaskFeed) => (await served.deployment.tasks.get(task.task_id))?.state;
    await expect.poll(() => stateOfRow(first)).toBe("working");
    expect(await stateOfRow(second)).toBe("submitted");
    await endRun(served.deployment, run, { status: "success" });
    await claim();
    await expect.poll(() => stateOfRow(second)).toBe("working");
  });

  test("ends when its run is deleted", async () => {
    const { feed, run } = await begin();
    await served.deployment.threads.delete(feed.task.thread_id);
    served.deployment.log.drop(run.run_id);
    await feed.rested();
    expect(taskOf(feed.task, feed.progress()).status).toMatchObject({
      state: "canceled",
      message: { parts: [{ text: "The run of this task was deleted" }] },
    });
  });
});
