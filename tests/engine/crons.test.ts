import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCron, createCronLoop, updateCron } from "../../lib/engine/crons.ts";
import { endRun } from "../../lib/engine/runs/ending.ts";
import type { StoredRun } from "../../lib/engine/ports/ports.ts";
import { createThread } from "../../lib/engine/threads/threads.ts";
import { noWorker } from "../../lib/drivers/workers/no-worker.ts";
import type { GuardAnswer } from "../../lib/protocol/auth.ts";
import { CronCreate, CronPatch } from "../../lib/protocol/crons.ts";
import { Fault } from "../../lib/protocol/faults.ts";
import { ThreadCreate } from "../../lib/protocol/threads.ts";
import { serveForTest, type ServedForTest } from "./served.ts";

const MINUTE = 60_000;

let served: ServedForTest;
beforeEach(async () => {
  served = await serveForTest();
});
afterEach(() => served.close());

const hourly = (changes: object = {}) => CronCreate.parse({ assistant_id: "agent", schedule: "0 * * * *", ...changes });
const create = (changes: object = {}, threadId?: string) =>
  createCron(served.platform, served.deployment, hourly(changes), { threadId });
const newThread = async () =>
  (await createThread(served.platform, served.deployment, ThreadCreate.parse({}))).thread_id;

/** Runs one round of each of these many servers at the same time. */
async function round(servers = 1): Promise<void> {
  const loops = Array.from({ length: servers }, () => createCronLoop(served.platform, served.deployment));
  await Promise.all(loops.map((loop) => loop.tick()));
  for (const loop of loops) await loop.stop();
}
const pending = () => served.deployment.runs.list(["pending"]);
const cronOf = (id: string) => served.deployment.crons.get(id);
const iso = (text: string): string => new Date(text).toISOString();

async function finish(run: StoredRun | undefined): Promise<void> {
  const claimed = await served.deployment.log.claim(10, (one) => ({ event: "metadata", data: `"${one.run_id}"` }));
  const mine = claimed.find((one) => one.run_id === run?.run_id);
  if (mine) await endRun(served.deployment, mine, { status: "success" });
}

describe("a cron", () => {
  test("fires at its time, not before, each time once, and shows the next time", async () => {
    const cron = await create({ input: { n: 1 }, metadata: { team: "blue" }, stream_mode: "updates" });
    expect(cron).toMatchObject({
      next_run_date: iso("2026-11-21T10:00Z"),
      thread_id: null,
      on_run_completed: "delete",
    });
    await round();
    expect(await pending()).toEqual([]);
    served.clock.time += 30 * MINUTE;
    await round();
    await round();
    const [run, ...others] = await pending();
    expect(others).toEqual([]);
    expect(run).toMatchObject({
      metadata: { team: "blue", cron_id: cron.cron_id },
      kwargs: { input: { n: 1 }, stream_mode: ["updates"], temporary: true },
      multitask_strategy: "enqueue",
    });
    expect(await cronOf(cron.cron_id)).toMatchObject({ next_run_date: iso("2026-11-21T11:00Z") });
  });

  test("makes one run a firing however many servers there are", async () => {
    for (let n = 0; n < 5; n++) await create();
    for (let hour = 1; hour <= 3; hour++) {
      served.clock.time += 60 * MINUTE;
      await round(4);
      expect(await pending()).toHaveLength(5 * hour);
    }
    expect(served.logged).toEqual([]);
  });

  test("fires once for all times that were missed while no server ran, and goes on from there", async () => {
    const cron = await create({ schedule: "*/5 * * * *" });
    served.clock.time += 24 * 60 * MINUTE + 1;
    await round();
    expect(await pending()).toHaveLength(1);
    expect(await cronOf(cron.cron_id)).toMatchObject({ next_run_date: iso("2026-11-22T09:35Z") });
  });

  test("stops at its end", async () => {
    const cron = await create({ end_time: "2026-11-21T11:30:00Z" });
    for (let hour = 0; hour < 4; hour++) {
      served.clock.time += 60 * MINUTE;
      await round();
    }
    expect(await pending()).toHaveLength(2);
    expect(await cronOf(cron.cron_id)).toMatchObject({ next_run_date: null });
    expect(await create({ end_time: "2020-01-01T00:00:00Z" })).toMatchObject({ next_run_date: null });
  });

  test("that is disabled does not fire, and starts anew when it is enabled", async () => {
    const cron = await create({ enabled: false });
    served.clock.time += 120 * MINUTE;
    await round();
    expect(await pending()).toEqual([]);
    const on = await updateCron(served.platform, served.deployment, cron.cron_id, CronPatch.parse({ enabled: true }));
    expect(on).toMatchObject({ enabled: true, next_run_date: iso("2026-11-21T12:00Z") });
  });

  test("that is changed fires by its new times; a change of its runs alone leaves a firing that is due", async () => {
    const { cron_id } = await create();
    const update = (patch: object) => updateCron(served.platform, served.deployment, cron_id, CronPatch.parse(patch));
    served.clock.time += 40 * MINUTE;
    expect(await update({ input: { n: 2 } })).toMatchObject({ next_run_date: iso("2026-11-21T10:00Z") });
    const changed = await update({
      schedule: "15 18 * * *",
      timezone: "Asia/Kolkata",
      end_time: "2027-01-01T00:00:00Z",
    });
    expect(changed).toMatchObject({ next_run_date: iso("2026-11-21T12:45Z"), payload: { input: { n: 2 } } });
    expect(await update({ end_time: null, timezone: null })).toMatchObject({
      end_time: null,
      timezone: "Asia/Kolkata",
    });
    await round();
    expect(await pending()).toEqual([]);
  });
});

describe("a cron of a user", () => {
  const user = { identity: "ada", permissions: ["talk"], display_name: "ada", is_authenticated: true };
  const unavailable = new Fault("unavailable", "The worker is starting");
  /** A worker whose application allows everything, once it is there. */
  const serveGuarded = async (answer: () => Promise<GuardAnswer>) => {
    const state = { there: false };
    const guards = () => {
      if (!state.there) throw unavailable;
      return { authenticates: true, handlers: ["threads"] };
    };
    await served.close();
    served = await serveForTest({
      worker: { ...noWorker("not needed", { status: "starting", attempt: 1 }), guards, guard: answer },
    });
    await createCron(served.platform, served.deployment, hourly(), { user });
    served.clock.time += 30 * MINUTE;
    return state;
  };

  test("waits for the worker that authorizes its creator, and fires once afterwards", async () => {
    const state = await serveGuarded(() => Promise.resolve({ returned: null }));
    await round();
    expect(await pending()).toEqual([]);
    expect(served.logged).toEqual([expect.stringContaining("waits: The worker is starting")]);
    state.there = true;
    await round();
    const [run] = await pending();
    expect(run?.kwargs.config.configurable).toMatchObject({
      langgraph_auth_user: user,
      langgraph_auth_user_id: "ada",
      langgraph_auth_permissions: ["talk"],
    });
    expect((await served.deployment.crons.due(served.clock.time)).length).toBe(0);
  });

  test.each([
    ["no", { returned: false }, "Forbidden"],
    ["a refusal", { refusal: { status: 418, message: "No tea", headers: [] } }, "No tea"],
    ["nonsense", { returned: 7 }, "the application's authorization failed"],
  ] as const)(
    "starts nothing when the application answers %s, and goes on to its next time",
    async (_, answer, why) => {
      const state = await serveGuarded(() => Promise.resolve(answer as GuardAnswer));
      state.there = true;
      await round();
      expect(await pending()).toEqual([]);
      expect(served.logged).toEqual([expect.stringContaining(`started no run: ${why}`)]);
      expect((await served.deployment.crons.due(served.clock.time)).length).toBe(0);
    },
  );
});

describe("the thread of a firing", () => {
  test("is the cron's own, with its strategies: reject skips a firing", async () => {
    const thread = await newThread();
    const queued = await create({}, thread);
    expect(queued).toMatchObject({ thread_id: thread });
    expect(queued).not.toHaveProperty("on_run_completed");
    await create({ multitask_strategy: "reject", schedule: "1 * * * *" }, thread);
    served.clock.time += 31 * MINUTE;
    await round();
    expect((await pending()).map((run) => run.thread_id)).toEqual([thread]);
    await finish((await pending())[0]);
    served.clock.time += 60 * MINUTE;
    await round();
    expect(await pending()).toHaveLength(1);
    expect(served.logged).toEqual([]);
  });

  test("is otherwise new each time, and is deleted with its run, or stays", async () => {
    const [gone, kept] = [await create(), await create({ on_run_completed: "keep" })];
    served.clock.time += 30 * MINUTE;
    await round();
    const runs = await pending();
    const runOf = (id: string) => runs.find((run) => run.metadata.cron_id === id);
    const threads = [gone, kept].map((cron) => runOf(cron.cron_id)?.thread_id ?? "");
    for (const thread of threads) expect(await served.deployment.threads.get(thread)).toMatchObject({ status: "busy" });
    await finish(runOf(gone.cron_id));
    for (const run of await served.deployment.runs.list(["running"])) {
      await endRun(served.deployment, run, { status: "success" });
    }
    expect(await served.deployment.threads.get(threads[0] ?? "")).toBeUndefined();
    expect(await served.deployment.threads.get(threads[1] ?? "")).toMatchObject({
      status: "idle",
      metadata: { cron_id: kept.cron_id, graph_id: "agent" },
    });
  });

  test("that holds another graph's state is refused, or the firing is skipped and logged", async () => {
    const thread = await newThread();
    const cron = await create({}, thread);
    await served.deployment.threads.update(thread, { metadata: { graph_id: "other" } }, 0);
    await expect(create({}, thread)).rejects.toThrow('holds the state of graph "other"');
    served.clock.time += 30 * MINUTE;
    await round();
    expect(await pending()).toEqual([]);
    expect(served.logged).toEqual([expect.stringContaining(`cron ${cron.cron_id} started no run`)]);
    expect(await cronOf(cron.cron_id)).toMatchObject({ next_run_date: iso("2026-11-21T11:00Z") });
  });
});

test("whenever servers run, each cron fires once for all times that fell due, and never early", async () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(gaps, fc.integer({ min: 1, max: 3 }), async (minutes, servers) => {
      const { cron_id } = await create();
      const fired = async () => (await pending()).filter((run) => run.metadata.cron_id === cron_id).length;
      for (const gap of minutes) {
        const [hour, before] = [Math.floor(served.clock.time / (60 * MINUTE)), await fired()];
        served.clock.time += gap * MINUTE;
        await round(servers);
        const passed = Math.floor(served.clock.time / (60 * MINUTE)) > hour;
        expect((await fired()) - before).toBe(passed ? 1 : 0);
      }
      await served.deployment.crons.delete(cron_id);
    }),
    { numRuns: 25 },
  );
});
