import { readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, expect, test } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";

const THREADS = 50;
const RUNS = 500;
const KILLS = 12;

let server: TestServer;
afterAll(() => server.stop());

async function start(home?: string, port?: string): Promise<TestServer> {
  const trace = home ?? (await mkdtemp(join(tmpdir(), "graphlib-chaos-")));
  return startServer({
    app: resolve(import.meta.dirname, "apps/durable"),
    home: trace,
    env: { TRACE_FILE: join(trace, "trace"), ...(port === undefined ? {} : { PORT: port }) },
  });
}

function workersOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
}

/** Returns the ids of all events of a run, over any number of broken connections. */
async function followed(client: () => Client, thread: string, run: string): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    try {
      const lastEventId = String(ids.at(-1) ?? -1);
      for await (const part of client().runs.joinStream(thread, run, { lastEventId })) ids.push(Number(part.id));
      const { status } = await client().runs.get(thread, run);
      if (status !== "pending" && status !== "running") return ids;
    } catch {
      await pause(50);
    }
  }
}

test(`SIGKILL of workers and server at random times during ${RUNS} runs on ${THREADS} threads loses and repeats nothing`, async () => {
  server = await start();
  const { port } = new URL(server.url);
  const connect = () => new Client({ apiUrl: server.url, apiKey: null, callerOptions: { maxRetries: 0 } });
  const threads = await Promise.all(Array.from({ length: THREADS }, () => connect().threads.create()));
  const runs = await Promise.all(
    Array.from({ length: RUNS }, async (_, n) => {
      const thread = threads[n % THREADS]?.thread_id ?? "";
      const options = { input: {}, durability: "sync", streamMode: "updates", streamResumable: true } as const;
      return { thread, run: (await connect().runs.create(thread, "count", options)).run_id };
    }),
  );
  const streams = runs.filter((_, n) => n % 10 === 0).map(({ thread, run }) => followed(connect, thread, run));

  for (let kill = 0; kill < KILLS; kill++) {
    await pause(100 + Math.random() * 500);
    if (kill % 3 === 2) {
      await server.crash();
      server = await start(server.home, port);
    } else for (const worker of workersOf(server.pid)) process.kill(worker, "SIGKILL");
  }

  for (const ids of await Promise.all(streams)) expect(ids).toEqual(ids.map((_, n) => n));
  await Promise.all(
    runs.map(({ thread, run }) =>
      connect()
        .runs.join(thread, run)
        .catch(() => undefined),
    ),
  );
  const ended = await Promise.all(runs.map(({ thread, run }) => connect().runs.get(thread, run)));
  // A run that was started three times ends with an error; every other one succeeds.
  expect(ended.filter((run) => run.status === "success").length).toBeGreaterThan(RUNS / 2);
  for (const run of ended) expect(["success", "error"]).toContain(run.status);
  const busy = await connect().threads.search({ status: "busy" });
  expect(busy).toEqual([]);

  const trace = readFileSync(join(server.home, "trace"), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
  for (const { run, status } of ended.map(({ run_id, status }) => ({ run: run_id, status }))) {
    const nodes = trace.filter(([id]) => id === run).map(([, node]) => node);
    expect(nodes, "a node that had finished was run again").toEqual(nodes.toSorted());
    if (status === "success") expect(new Set(nodes)).toEqual(new Set(["a", "b", "c"]));
  }
}, 300_000);
