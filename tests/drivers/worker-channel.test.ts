import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { settled } from "../../lib/drivers/workers/replaceable-worker.ts";
import { anyLine, plausibleLine } from "../support/worker-lines.ts";
import {
  crashed,
  quickRun,
  READY,
  startRealWorker,
  startFakeWorker,
  stopWorkers,
  untilStatus,
} from "../support/fake-worker.ts";

afterEach(stopWorkers);

const lines = (...all: string[]): string => `${[READY, ...all].join("\n")}\n`;

describe("a worker that writes something else than messages is ended alone, with the reason as an incident", () => {
  test.each<[what: string, bytes: string, reason: RegExp]>([
    ["no graphs", '{"type":"ready","graphs":null,"langgraph":""}\n', /ready: graphs: .*expected array/],
    [
      "graphs that it has not",
      '{"type":"ready","graphs":[{"graph":"x"}],"langgraph":""}\n',
      /ready: graphs: expected those/,
    ],
    ["twice that it is ready", lines(READY), /ready: it was sent before/],
    ["no JSON", lines("hello"), /not JSON/],
    ["an empty line", lines(""), /not JSON/],
    ["a question of a numeric run", lines('{"type":"ask","id":1,"run":7,"token":1,"ask":{}}'), /ask: run/],
    ["a line without an end", lines("x".repeat(33 * 1024 * 1024)).slice(0, -1), /a line of more than 32 MB/],
  ])("%s", async (_, bytes, reason) => {
    const worker = startFakeWorker(bytes);
    expect(await crashed(worker)).toMatch(reason);
    expect(worker.incidents().at(-1)?.error.message).toMatch(reason);
  });

  test("its pending requests are refused, and its runs end as after a crash", async () => {
    const worker = startFakeWorker(lines(), {
      script: "read line <&3; read line <&3; read line <&3; echo nonsense >&3; exec cat <&3",
    });
    await untilStatus(worker, ["ready"]);
    const [run, drawing] = await Promise.allSettled([quickRun(worker, "g"), worker.drawing("g", false)]);
    expect(run).toMatchObject({ value: { status: "error", lost: "crashed", error: { error: "WorkerCrashed" } } });
    expect(drawing).toMatchObject({ reason: { code: "unavailable" } });
  });
});

describe("answers of another kind", () => {
  const answers: [what: string, answer: string][] = [
    ["to a drawing: a state", '{"type":"stated","id":1,"answer":{}}'],
    ["to a drawing: an identity", '{"type":"guarded","id":1,"answer":{"returned":"root"}}'],
  ];
  test.each(answers)("%s", async (_, answer) => {
    const worker = startFakeWorker(lines(), {
      script: `read a <&3; read b <&3; echo '${answer}' >&3; exec cat <&3 >/dev/null`,
    });
    await untilStatus(worker, ["ready"]);
    await expect(worker.drawing("g", false)).rejects.toMatchObject({ code: "unavailable" });
    expect(await crashed(worker)).toMatch(/this answers another kind of request/);
  });

  test("to no pending request are ignored", async () => {
    const worker = startFakeWorker(
      lines('{"type":"described","id":9,"drawing":{"nodes":[],"edges":[]}}', '{"type":"done","id":7}'),
    );
    await untilStatus(worker, ["ready"]);
    await sleep(50);
    expect(worker.state().status).toBe("ready");
  });
});

test("10,000 random lines end no other worker, and throw nothing", async () => {
  const other = startRealWorker();
  await settled(other);
  const before = other.state();
  const batches = [
    ...fc.sample(fc.array(plausibleLine, { minLength: 100, maxLength: 100 }), 50),
    ...fc.sample(fc.array(anyLine, { minLength: 100, maxLength: 100 }), 50),
  ];
  let accepted = 0;
  for (const batch of batches) {
    const worker = startFakeWorker(lines(...batch), { script: "exit 7" });
    const reason = await crashed(worker);
    if (reason === "exit code 7") accepted++;
    else expect(reason).toMatch(/^it wrote something else than messages to its channel: /);
    await worker.stop(0);
    expect((await quickRun(other)).status).toBe("success");
  }
  // Every message that lib/protocol/worker.ts allows is taken.
  expect(accepted).toBeGreaterThanOrEqual(50);
  expect({ ...other.state(), memory: 0 }).toEqual({ ...before, memory: 0 });
});

describe("a worker that floods its host with requests", () => {
  const COUNT = 20_000;
  const order = { run: "r", token: 1, graph: "g", input: {}, config: {}, modes: ["values" as const], subgraphs: false };
  const requests = Array.from(
    { length: COUNT },
    (_, id) => `{"type":"ask","id":${id},"run":"r","token":1,"ask":{"about":"store","operations":[]}}\n`,
  ).join("");

  test("gets all answers, a limited number at a time, while runs of another worker continue", async () => {
    const other = startRealWorker();
    await settled(other);
    let [open, most, answered] = [0, 0, 0];
    const worker = startFakeWorker(lines(), {
      later: requests,
      // The script first reads `load` and `run`.
      script: "read load <&3; read run <&3; cat later >&3; exec cat <&3 >/dev/null",
      async answer() {
        most = Math.max(most, ++open);
        await sleep(1);
        open--;
        answered++;
        return null;
      },
    });
    await untilStatus(worker, ["ready"]);
    void worker.run(order, () => Promise.resolve());
    let others = 0;
    while (answered < COUNT) {
      expect((await quickRun(other)).status).toBe("success");
      others++;
    }
    expect(most).toBeLessThanOrEqual(256);
    expect(others).toBeGreaterThan(1);
    expect(worker.state().status).toBe("ready");
  });

  test("and reads no answer is paused, and ended after a while", async () => {
    const worker = startFakeWorker(lines(), {
      later: requests,
      limits: { everyMs: 200, toLoad: 1_000, toAnswer: 5 },
      script: "read load <&3; read run <&3; cat later >&3; exec sleep 1000",
      answer: () => Promise.resolve("x".repeat(10_000)),
    });
    await untilStatus(worker, ["ready"]);
    const ended = worker.run(order, () => Promise.resolve());
    expect(await crashed(worker)).toBe("it did not answer for 1 s: an endless loop?");
    expect(await ended).toMatchObject({ status: "error" });
  });
});

test("a worker with too many unread messages is ended", async () => {
  const worker = startFakeWorker(lines(), { script: "exec sleep 1000" });
  await untilStatus(worker, ["ready"]);
  const text = "x".repeat(10_000_000);
  const order = { token: 1, graph: "g", config: {}, modes: ["values" as const], subgraphs: false };
  const ends = Array.from({ length: 14 }, (_, run) =>
    worker.run({ ...order, run: `${run}`, input: text }, () => Promise.resolve()),
  );
  expect(await crashed(worker)).toBe("it does not read its messages");
  expect((await Promise.all(ends)).every((end) => end.status === "error")).toBe(true);
});

describe("the host itself is busy", () => {
  const limits = { everyMs: 1_000, toLoad: 60, toAnswer: 6 };

  test("for longer than a worker may be silent: five idle workers survive", async () => {
    const workers = Array.from({ length: 5 }, () => startRealWorker(limits));
    await Promise.all(workers.map((worker) => settled(worker)));
    const pids = workers.map((worker) => worker.state());
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 8_000);
    await sleep(1_500);
    expect(workers.map((worker) => ({ ...worker.state(), memory: 0 }))).toEqual(
      pids.map((state) => ({ ...state, memory: 0 })),
    );
  });

  test("and then is not: a worker in an endless loop is ended", async () => {
    const worker = startRealWorker(limits);
    await settled(worker);
    void quickRun(worker, "spins");
    expect(await crashed(worker)).toBe("it did not answer for 6 s: an endless loop?");
  });
});

test("memory is that of the process and all its descendants, as the system reports it", async () => {
  const hog = `exec ${process.execPath} -e 'require("node:child_process").spawn(process.execPath, ["-e", "globalThis.kept = Buffer.alloc(2e8, 1); setTimeout(() => {}, 1e6)"]); require("node:fs").createReadStream("", { fd: 3 }).resume()'`;
  const worker = startFakeWorker(lines(), { limits: { everyMs: 100, toLoad: 1_000, toAnswer: 10_000 }, script: hog });
  const memory = (): number => {
    const state = worker.state();
    return state.status === "ready" ? (state.memory ?? 0) : 0;
  };
  await expect.poll(memory, { timeout: 30_000 }).toBeGreaterThan(200_000_000);
  expect(memory()).toBeLessThan(600_000_000);
});
