/** Drives the state of a studio page against a real server. */
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { NO_BREAKPOINTS, type RunOptions } from "../../lib/client/studio/request.ts";
import { createStudio, type Studio } from "../../lib/client/studio/studio.ts";
import { turnsOf } from "../../lib/rules/studio/turns.ts";
import { checkpointIdOf } from "../../lib/rules/threads/read-state.ts";
import { useServer } from "../support/use-server.ts";
import { stubBrowser } from "./stub-server.ts";

const server = useServer({ own: true, app: join(import.meta.dirname, "../e2e/apps/studio") });
beforeAll(() => {
  stubBrowser();
});

const optionsFor = (assistant: string, more: Partial<RunOptions> = {}): RunOptions => ({
  assistant,
  breakpoints: NO_BREAKPOINTS,
  pauseEverywhere: false,
  subgraphs: true,
  ...more,
});

function newStudio(): Studio {
  return createStudio({ base: server.url, onThread: () => {} });
}

async function reopened(studio: Studio): Promise<Studio> {
  const other = newStudio();
  await other.open(studio.state().threadId);
  return other;
}

/** Returns the content of the log: the nodes of each step, with statuses and times. */
const logOf = (studio: Studio) =>
  [...(studio.state().run?.steps ?? [])].map((step) =>
    step.tasks.map((id) => {
      const task = studio.state().run?.tasks.get(id);
      return [task?.node, task?.status, task?.startedAt, task?.endedAt];
    }),
  );

/** Holds the next answer from a path that ends like this, until it is released. */
function holdNext(path: string) {
  const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const isHeld = typeof input === "string" && input.endsWith(path);
    if (isHeld) globalThis.fetch = fetch;
    const response = await fetch(input, init);
    if (isHeld) {
      arrived.resolve();
      await released.promise;
    }
    return response;
  };
  return { arrived: arrived.promise, release: () => released.resolve() };
}

describe("a studio", () => {
  test("creates the thread with the first run, and shows the same after a reload", async () => {
    const studio = newStudio();
    await studio.start({ input: { messages: [{ type: "human", content: "refund" }] } }, optionsFor("agent"));
    const { run, history, details, isRunning } = studio.state();
    expect(run?.status).toBe("success");
    expect(isRunning).toBe(false);
    expect(details?.status).toBe("idle");
    expect(history.map((head) => head.next)).toEqual([
      [],
      ["answer"],
      ["model"],
      ["tools"],
      ["model"],
      ["triage"],
      ["__start__"],
    ]);

    const again = await reopened(studio);
    expect(logOf(again)).toEqual(logOf(studio));
    expect(again.state().run?.status).toBe("success");
  });

  test("a run that goes on continues the log of its turn, also after a reload", async () => {
    const studio = newStudio();
    const options = optionsFor("agent", { breakpoints: { before: new Set(["tools"]), after: new Set() } });
    await studio.start({ input: { messages: [{ type: "human", content: "refund" }] } }, options);
    expect(studio.state().history[0]?.next).toEqual(["tools"]);
    await studio.start({ goOn: "step" }, options);
    expect(studio.state().history[0]?.next).toEqual(["model"]);
    await studio.start({ goOn: "continue" }, optionsFor("agent"));
    expect(studio.state().history[0]?.next).toEqual([]);
    const nodes = logOf(studio)
      .flat()
      .map(([node]) => node);
    expect(nodes).toEqual(["triage", "model", "tools", "model", "answer"]);
    expect(turnsOf(studio.state().history)).toHaveLength(1);
    expect(logOf(await reopened(studio))).toEqual(logOf(studio));
  });

  test("a run is followed although its thread was being read when it began", async () => {
    const studio = newStudio();
    const options = optionsFor("agent", { breakpoints: { before: new Set(["tools"]), after: new Set() } });
    await studio.start({ input: { messages: [{ type: "human", content: "refund" }] } }, options);
    const answer = holdNext("/history");
    const reading = studio.open(studio.state().threadId);
    await answer.arrived;
    const running = studio.start({ goOn: "continue" }, optionsFor("agent"));
    await expect.poll(() => studio.state().runId).toBeDefined();
    answer.release();
    await Promise.all([reading, running]);
    expect(studio.state()).toMatchObject({ isRunning: false, run: { status: "success" } });
    expect(studio.state().history[0]?.next).toEqual([]);
  });

  test("an answer to one of two interrupts leaves the other open", async () => {
    const studio = newStudio();
    await studio.start({ input: {} }, optionsFor("parallel"));
    const open = () => Object.values(studio.state().details?.interrupts ?? {}).flat();
    expect(open()).toHaveLength(2);
    const [first] = open();
    await studio.start({ resume: { [first?.id ?? ""]: "36" } }, optionsFor("parallel"));
    expect(open()).toHaveLength(1);
    await studio.start({ resume: "red" }, optionsFor("parallel"));
    expect(open()).toHaveLength(0);
    expect(studio.state().run?.status).toBe("success");
  });

  test("an answer that comes too late starts nothing and does not answer the next question", async () => {
    const studio = newStudio();
    await studio.start({ input: {} }, optionsFor("review"));
    const open = (of: Studio) => Object.values(of.state().details?.interrupts ?? {}).flat();
    const late = await reopened(studio);
    const [mail] = open(studio);
    const accept = { [mail?.id ?? ""]: [{ type: "accept", args: null }] };
    expect(await studio.start({ resume: accept }, optionsFor("review"))).toBe(true);
    const [wipe] = open(studio);
    expect(wipe?.id).not.toBe(mail?.id);
    expect(await late.start({ resume: accept }, optionsFor("review"))).toBe(false);
    expect(late.state()).toMatchObject({ passed: "late", isRunning: false });
    expect(open(late)).toEqual([wipe]);
    expect(await late.api.newestRuns(studio.state().threadId ?? "", 10)).toHaveLength(2);
    await late.start({ resume: { [wipe?.id ?? ""]: [{ type: "accept", args: null }] } }, optionsFor("review"));
    expect(open(late)).toEqual([]);
    expect(late.state().passed).toBeUndefined();
    // The other page finds out that its question is closed.
    await studio.lookAgain();
    await expect.poll(() => open(studio)).toEqual([]);
    expect(studio.state().passed).toBe("answered");
  });

  test("a run that another client has queued is followed after the one before it", async () => {
    const { threads, runs } = new Client({ apiUrl: server.url, apiKey: null });
    const { thread_id } = await threads.create({ graphId: "slow" });
    const queue = async (text: string) =>
      (await runs.create(thread_id, "slow", { input: { ms: 300, text }, multitaskStrategy: "enqueue" })).run_id;
    await queue("first");
    const studio = newStudio();
    const first = studio.open(thread_id);
    await expect.poll(() => studio.state().isRunning).toBe(true);
    const second = await queue("second");
    // The page is told of the change only now, while it follows the first run.
    await studio.lookAgain();
    await first;
    await expect.poll(() => studio.state().runId).toBe(second);
    await expect.poll(() => studio.state().end).toEqual({ how: "ended" });
    expect(logOf(studio).length).toBeGreaterThan(0);
    studio.close();
  });

  test("an edit at an older checkpoint forks the thread, and a copy has its own", async () => {
    const studio = newStudio();
    await studio.start({ input: { ms: 1, text: "begin" } }, optionsFor("slow"));
    const older = checkpointIdOf(studio.state().history.find(({ next }) => next[0] === "after")?.checkpoint);
    const forked = await studio.edit({ values: { text: "by hand" }, checkpoint_id: older });
    const [newest] = studio.state().history;
    expect(checkpointIdOf(newest?.checkpoint)).toBe(forked);
    expect(checkpointIdOf(newest?.parent_checkpoint)).toBe(older);
    const copy = await studio.copy(older);
    expect(copy).not.toBe(studio.state().threadId);
    const other = newStudio();
    await other.open(copy);
    expect(other.state().history[0]?.next).toEqual(["after"]);
  });

  test("a fork goes on from what led to it, and a reload shows its times and nothing of the other branch", async () => {
    const studio = newStudio();
    await studio.start({ input: { messages: [{ type: "human", content: "refund" }] } }, optionsFor("agent"));
    const thread = studio.state().threadId;
    const older = studio.state().history.find(({ next }) => next[0] === "tools");
    await studio.edit({ values: { topic: "parcels" }, checkpoint_id: checkpointIdOf(older?.checkpoint) });
    await studio.start({ goOn: "continue" }, optionsFor("agent"));
    const ran = (one: Studio) =>
      [...(one.state().run?.tasks ?? [])]
        .filter(({ attempt }) => attempt > 0)
        .map(({ node, status }) => [node, status]);
    const done = ["triage", "model", "tools", "model", "answer"].map((node) => [node, "done"]);
    expect(ran(studio)).toEqual(done);
    const again = await reopened(studio);
    expect(again.state().threadId).toBe(thread);
    expect(ran(again)).toEqual(done);
    const [triage] = again.state().run?.tasks ?? [];
    expect(triage?.startedAt).toBeDefined();
    expect([...(again.state().run?.steps ?? [])].map(({ step }) => step)).toEqual([-1, 0, 1, 2, 3, 4, 5, 6]);
  });

  test("a run goes on from one that told no tasks as the history has it, also after a reload", async () => {
    const client = new Client({ apiUrl: server.url });
    const { thread_id } = await client.threads.create({ metadata: { graph_id: "agent" } });
    await client.runs.wait(thread_id, "agent", {
      input: { messages: [{ type: "human", content: "refund" }] },
      streamMode: ["values"],
      interruptBefore: ["tools"],
    } as object);
    const studio = newStudio();
    await studio.open(thread_id);
    await studio.start({ goOn: "continue" }, optionsFor("agent"));
    const nodes = ["triage", "model", "tools", "model", "answer"];
    for (const one of [studio, await reopened(studio)])
      expect([...(one.state().run?.tasks ?? [])].map(({ node, status }) => [node, status])).toEqual(
        nodes.map((node) => [node, "done"]),
      );
  });

  test("a run that is stopped ends as cancelled, and its node with it", async () => {
    const studio = newStudio();
    const done = studio.start({ input: { ms: 60_000 } }, optionsFor("slow"));
    await new Promise<void>((resolve) => {
      const stop = studio.subscribe(() => {
        if (studio.state().run?.nodes.get("wait")?.status !== "running") return;
        stop();
        resolve();
      });
    });
    await studio.cancel();
    await done;
    expect(studio.state().run?.status).toBe("interrupted");
    expect(studio.state().run?.nodes.get("wait")?.status).toBe("cancelled");
  });

  test("a run that another client rolls back is gone, and the turn before it is shown", async () => {
    const { runs } = new Client({ apiUrl: server.url, apiKey: null });
    for (const turns of [0, 1]) {
      const studio = newStudio();
      if (turns > 0) await studio.start({ input: { ms: 1, text: "first" } }, optionsFor("slow"));
      const done = studio.start({ input: { ms: 60_000 } }, optionsFor("slow"));
      await expect.poll(() => studio.state().run?.nodes.get("wait")?.status).toBe("running");
      const { threadId = "", runId = "" } = studio.state();
      await runs.cancel(threadId, runId, true, "rollback");
      await done;
      const again = await reopened(studio);
      expect(studio.state()).toMatchObject({ isRunning: false, isStopping: false });
      expect(studio.state().history).toHaveLength(turns * 5);
      expect(studio.state().lanes.marks.size).toBe(turns * 5);
      expect(studio.state().history).toEqual(again.state().history);
      expect(studio.state().runId).toBe(again.state().runId);
      expect(logOf(studio)).toEqual(logOf(again));
      expect(studio.state().run?.status).toBe(turns > 0 ? "success" : undefined);
    }
  });

  test("a refused run says why, and changes nothing", async () => {
    const studio = newStudio();
    expect(await studio.start({ input: {} }, optionsFor("no such graph"))).toBe(false);
    expect(studio.state().end).toMatchObject({ how: "refused", status: 404 });
    expect(studio.state().isRunning).toBe(false);

    await studio.start({ input: { ms: 1, text: "begin" } }, optionsFor("slow"));
    const { run, runId, events } = studio.state();
    const nowhere = "1f000000-0000-6000-8000-000000000000";
    expect(await studio.start({ input: { ms: 1 } }, optionsFor("slow"), nowhere)).toBe(false);
    expect(studio.state()).toMatchObject({ run, runId, events, end: { how: "refused" } });
  });

  test("a run without input goes on with the log of its turn, also where nothing is left to do", async () => {
    const studio = newStudio();
    await studio.start({ input: { ms: 1, text: "begin" } }, optionsFor("slow"));
    const log = logOf(studio);
    await studio.start({ input: null }, optionsFor("slow"));
    expect(logOf(studio)).toEqual(log);
    expect(logOf(await reopened(studio))).toEqual(log);
  });

  test("a thread that does not exist, and an id that is none, are gone", async () => {
    const studio = newStudio();
    await studio.open("00000000-0000-4000-8000-000000000000");
    expect(studio.state().thread).toBe("gone");
    await studio.open("nonsense");
    expect(studio.state().thread).toBe("gone");
    await studio.open(undefined);
    expect(studio.state().thread).toBe("none");
  });
});
