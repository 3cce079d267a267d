import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { SupervisedWorker, type WorkerOptions } from "../../lib/drivers/workers/process.ts";
import { WorkerGroup } from "../../lib/drivers/workers/worker-group.ts";
import type { RunEnding } from "../../lib/engine/ports/run-end.ts";
import type { WorkerState } from "../../lib/protocol/deployments.ts";
import type { RunOrder } from "../../lib/protocol/worker.ts";

const MAIN = join(import.meta.dirname, "../../lib/worker/main.ts");
const folder = join(import.meta.dirname, "apps", "several");
const started: WorkerGroup[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((group) => group.stop(0)));
});

interface Group {
  group: WorkerGroup;
  processes: SupervisedWorker[];
  /** The position of the process of each request to the host. */
  asked: number[];
}

function startGroup(count: number, options: Partial<WorkerOptions> = {}): Group {
  const processes: SupervisedWorker[] = [];
  const asked: number[] = [];
  const graphs = ["where", "holds"].map((id) => [id, { path: `graphs.js:${id}`, description: undefined }] as const);
  const group = new WorkerGroup(count, (position) => {
    const process = new SupervisedWorker({
      main: MAIN,
      folder,
      env: { ...globalThis.process.env, LANGCHAIN_CALLBACKS_BACKGROUND: "false" },
      graphs: Object.fromEntries(graphs),
      memoryMb: 256,
      now: Date.now,
      answer: () => Promise.resolve(asked.push(position) && null),
      change: () => Promise.resolve(),
      echo: () => undefined,
      ...options,
    });
    processes.push(process);
    return process;
  });
  started.push(group);
  return { group, processes, asked };
}

/** Resolves with the first state, now or later, that fits. */
function until(group: WorkerGroup, fits: (state: WorkerState) => boolean): Promise<WorkerState> {
  return new Promise((resolve) => {
    const look = (): void => {
      const state = group.state();
      if (!fits(state)) return;
      forget();
      resolve(state);
    };
    const forget = group.onChange(look);
    look();
  });
}

const readyProcesses = (state: WorkerState): number => (state.status === "ready" ? (state.processes?.ready ?? 0) : 0);

async function readyGroup(count: number): Promise<Group> {
  const started = startGroup(count);
  await until(started.group, (state) => readyProcesses(state) === count);
  return started;
}

let runs = 0;

/** Begins a run, on a thread if one is given. `pid` resolves with the id of the process that executes it. */
function begin(group: WorkerGroup, graph: "where" | "holds", thread?: string) {
  const run = `r${runs++}`;
  const order: RunOrder = {
    run,
    token: 1,
    graph,
    input: {},
    config: { configurable: { thread_id: thread ?? run } },
    durable: thread !== undefined,
    modes: ["custom", "values"],
    subgraphs: false,
  };
  const { promise: pid, resolve } = Promise.withResolvers<number>();
  const take = (events: RunEnding["events"]): void => {
    for (const { data } of events) {
      const found = (JSON.parse(data) as { pid?: number }).pid;
      if (found !== undefined) resolve(found);
    }
  };
  const ending = group.run(order, (events) => Promise.resolve(take(events)));
  void ending.then(({ events }) => take(events));
  return { run, pid, ending };
}

const pidsOf = ({ processes }: Group): number[] =>
  processes.map((one) => {
    const state = one.state();
    return state.status === "ready" ? state.pid : 0;
  });

/** Returns a thread whose runs go to the process with this id. */
async function threadOn(group: WorkerGroup, pid: number): Promise<string> {
  for (let n = 0; n < 1_000; n++) {
    const run = begin(group, "where", `t${n}`);
    await run.ending;
    if ((await run.pid) === pid) return `t${n}`;
  }
  throw new Error("no thread goes there");
}

describe("several processes", () => {
  test("start after the first of them has loaded the code", async () => {
    const { group, processes } = startGroup(3);
    const statuses: string[] = [];
    group.onChange(() => statuses.push(`${processes.length} ${processes[0]?.state().status}`));
    expect(group.state()).toEqual({ status: "starting", attempt: 1 });
    await until(group, (state) => readyProcesses(state) === 3);
    expect(statuses[0]).toBe("3 ready");
    expect(group.state()).toMatchObject({ processes: { ready: 3, down: 0, total: 3 } });
    expect(group.graphs().map(({ graph }) => graph)).toEqual(["where", "holds"]);
  });

  test("of code that ends its process: one is started, and crashes again and again", async () => {
    const broken = mkdtempSync(join(tmpdir(), "graphlib-broken-"));
    writeFileSync(join(broken, "main.mjs"), "process.exit(7);");
    const { group, processes } = startGroup(3, { main: join(broken, "main.mjs") });
    const state = await until(group, ({ status }) => status === "crashed");
    expect(state).toMatchObject({ status: "crashed", reason: "exit code 7", attempt: 1 });
    await until(group, ({ status, ...rest }) => status === "crashed" && "attempt" in rest && rest.attempt === 2);
    expect(processes).toHaveLength(1);
    expect(group.incidents()).toHaveLength(2);
    await expect(group.drawing("where", false)).rejects.toMatchObject({ code: "unavailable" });
    expect(await begin(group, "where").ending).toMatchObject({
      error: { error: "WorkerUnavailable" },
      lost: "stopped",
    });
  });

  test("take the sum of their memory", async () => {
    const { group, processes } = startGroup(2, { limits: { everyMs: 100, toLoad: 1_000, toAnswer: 10_000 } });
    const memory = (): number[] => processes.map((one) => memoryOf(one.state()));
    await expect.poll(() => Math.min(...memory(), processes.length - 1), { timeout: 30_000 }).toBeGreaterThan(0);
    const [first = 0, second = 0] = memory();
    expect(Math.min(first, second)).toBeGreaterThan(20 * 1024 * 1024);
    expect(memoryOf(group.state())).toBe(first + second);
  });
});

const memoryOf = (state: WorkerState): number => (state.status === "ready" ? (state.memory ?? 0) : 0);

describe("runs", () => {
  test("of one thread stay in one process, and threads are spread over all", async () => {
    const started = await readyGroup(3);
    const { group } = started;
    const threads = Array.from({ length: 30 }, (_, n) => `thread-${n}`);
    const pidOf = (thread: string): Promise<number> => begin(group, "where", thread).pid;
    const first = await Promise.all(threads.map(pidOf));
    expect(await Promise.all(threads.map(pidOf))).toEqual(first);
    expect(new Set(first)).toEqual(new Set(pidsOf(started)));
  });

  test("without a thread go to the least busy process, and a cancel finds its run", async () => {
    const started = await readyGroup(3);
    const { group } = started;
    const held = Array.from({ length: 6 }, () => begin(group, "holds"));
    const pids = await Promise.all(held.map(({ pid }) => pid));
    for (const pid of pidsOf(started)) expect(pids.filter((one) => one === pid)).toHaveLength(2);
    const [first] = held;
    expect(group.cancel(first?.run ?? "")).toBe(true);
    expect(await first?.ending).toMatchObject({ status: "interrupted" });
    // The process that is free now gets the next one.
    expect(await begin(group, "holds").pid).toBe(pids[0]);
    expect(group.cancel("nobody")).toBe(false);
  });

  test("and questions about the state of a thread go to the same process", async () => {
    const started = await readyGroup(3);
    const { group, asked } = started;
    for (const [position, pid] of pidsOf(started).entries()) {
      const thread_id = await threadOn(group, pid);
      asked.length = 0;
      await group.threadState({ graph: "where", configurable: { thread_id }, do: "get", subgraphs: false });
      expect(new Set(asked)).toEqual(new Set([position]));
    }
  });
});

describe("a process that is killed", () => {
  test("ends its own runs only; its threads go elsewhere until it is ready again", async () => {
    const started = await readyGroup(3);
    const { group } = started;
    const [victim = 0, ...others] = pidsOf(started);
    const thread = await threadOn(group, victim);
    const held = Array.from({ length: 6 }, () => begin(group, "holds"));
    const pids = await Promise.all(held.map(({ pid }) => pid));
    process.kill(victim, "SIGKILL");
    await until(group, (state) => readyProcesses(state) === 2);
    expect(group.state()).toMatchObject({
      status: "ready",
      pid: expect.toBeOneOf(others),
      processes: { ready: 2, down: 1, total: 3 },
    });
    expect(others).toContain(await begin(group, "where", thread).pid);
    const { true: lost = [], false: left = [] } = Object.groupBy(held, (_, at) => `${pids[at] === victim}`);
    expect(await Promise.all(lost.map(({ ending }) => ending))).toMatchObject([
      { lost: "crashed" },
      { lost: "crashed" },
    ]);
    expect(left.map(({ run }) => group.cancel(run))).toEqual([true, true, true, true]);
    for (const { ending } of left) expect(await ending).toMatchObject({ status: "interrupted" });
    expect(group.incidents()).toMatchObject([{ source: "worker", error: { error: "WorkerCrashed" } }]);
    await until(group, (state) => readyProcesses(state) === 3);
    expect(group.state()).toMatchObject({ processes: { ready: 3, down: 0, total: 3 } });
    expect(await begin(group, "where", thread).pid).toBe(pidsOf(started)[0]);
  });

  test("leaves no run unanswered, however many begin meanwhile", async () => {
    const started = await readyGroup(2);
    const { group } = started;
    const [victim = 0] = pidsOf(started);
    const before = Array.from({ length: 20 }, () => begin(group, "where").ending);
    process.kill(victim, "SIGKILL");
    const crash = until(group, (state) => readyProcesses(state) === 1);
    const during = Array.from({ length: 20 }, () => begin(group, "where").ending);
    await crash;
    const after = await Promise.all(Array.from({ length: 20 }, () => begin(group, "where").ending));
    expect(after.filter(({ status }) => status !== "success")).toEqual([]);
    for (const ending of await Promise.all([...before, ...during])) {
      if (ending.status !== "success")
        expect(ending).toMatchObject({ lost: "crashed", error: { error: "WorkerCrashed" } });
    }
  });
});

describe("all processes", () => {
  test("are restarted together when the code has changed", async () => {
    const started = await readyGroup(2);
    const { group } = started;
    const before = pidsOf(started);
    group.restart("its code changed");
    await until(group, (state) => state.status !== "ready");
    await until(group, (state) => readyProcesses(state) === 2);
    expect(pidsOf(started).filter((pid) => before.includes(pid))).toEqual([]);
    expect(group.incidents()).toEqual([]);
  });

  test("end when the group is stopped, after the runs that they have", async () => {
    const started = await readyGroup(2);
    const { group } = started;
    const last = Array.from({ length: 4 }, () => begin(group, "where").ending);
    await group.stop(10_000);
    expect((await Promise.all(last)).map(({ status }) => status)).toEqual(Array(4).fill("success"));
    expect(group.state()).toEqual({ status: "stopped" });
    expect(await begin(group, "where").ending).toMatchObject({
      error: { error: "WorkerUnavailable" },
      lost: "stopped",
    });
  });

  test("end also when the group is stopped while the first one loads", async () => {
    const { group, processes } = startGroup(3);
    await group.stop(0);
    expect(group.state()).toEqual({ status: "stopped" });
    expect(processes).toHaveLength(1);
  });
});
