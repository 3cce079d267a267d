/**
 * `npm run bench [-- <part of a name>]` measures what the platform adds to the cost of LangGraph and Next, in groups that run
 * one after the other. All figures are of this machine. These environment variables change how it measures:
 *
 * - `BENCH_SECONDS` (4): how long each measurement takes
 * - `BENCH_ROUNDS` (3): how often it is repeated
 * - `BENCH_LIMIT_SECONDS` (900): when a group is ended that has not finished
 */
import { cpus } from "node:os";
import { resolve } from "node:path";
import { v7 as uuid } from "uuid";
import packageJson from "../../package.json" with { type: "json" };
import { startServer, type TestServer, type TestServerOptions } from "../support/server.ts";
import { largeBodies } from "./bodies.ts";
import { INSPECTED, inspectHeap } from "./heap.ts";
import { hostileNeighbour } from "./hostile.ts";
import { capture, httpClient } from "./http-client.ts";
import { idleStreams, killedWorker, stoppedReader } from "./idle.ts";
import { type Measured, measure, median, ROUNDS, SECONDS } from "./measure.ts";
import type { Processor } from "./processor.ts";
import { longReads } from "./reads.ts";
import { type Groups, runGroups } from "./groups.ts";
import { manyThreads } from "./search.ts";
import { buildBare, inProcess, startBare } from "./servers.ts";
import { taskStreams } from "./tasks.ts";
import { longThread } from "./threads.ts";
import { lendThreads } from "./turns.ts";

const CALLERS = [1, 20] as const;

interface Workload {
  name: string;
  graph: "one" | "tokens";
  /** `{thread}` stands for the id of a thread. */
  path: string;
  body: string;
}

const message = { messages: [{ role: "user", content: "hello" }] };
const runBody = (graph: string, mode: string): string =>
  JSON.stringify({ assistant_id: graph, input: message, stream_mode: mode, if_not_exists: "create" });
const sendBody = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "message/send",
  params: { message: { kind: "message", role: "user", messageId: "m", parts: [{ kind: "text", text: "hello" }] } },
});

const workloads: Workload[] = [
  { name: "runs/stream, 1 event", graph: "one", path: "/runs/stream", body: runBody("one", "updates") },
  { name: "runs/stream, 100 tokens", graph: "tokens", path: "/runs/stream", body: runBody("tokens", "messages-tuple") },
  {
    name: "threads/runs/stream, 1 event",
    graph: "one",
    path: "/threads/{thread}/runs/stream",
    body: runBody("one", "updates"),
  },
  { name: "message/send, 1 event", graph: "one", path: "/a2a/one", body: sendBody },
  { name: "message/send, 100 tokens", graph: "tokens", path: "/a2a/tokens", body: sendBody },
];

async function overHttp(url: string, body: string, callers: number, server: number): Promise<Measured> {
  const client = httpClient(callers);
  const lend = lendThreads();
  const measured = await measure(
    callers,
    SECONDS,
    (first) => lend((thread) => client.post(url.replace("{thread}", thread), body, first)),
    server,
  );
  client.close();
  return measured;
}

const ms = (value: number): string => value.toFixed(2).padStart(7);
const rate = (value: number): string => value.toFixed(0).padStart(6);
const spread = (values: readonly number[]): string => `${rate(Math.min(...values))} -${rate(Math.max(...values))}`;

function row(label: string, rounds: readonly Measured[]): void {
  const of = (pick: (measured: Measured) => number): number => median(rounds.map(pick));
  console.log(
    `${label.padEnd(44)}${rate(of((m) => m.perSecond))}/s ${spread(rounds.map((m) => m.perSecond))}` +
      `  first ${ms(of((m) => m.first.p50))}${ms(of((m) => m.first.p95))}` +
      `  whole ${ms(of((m) => m.whole.p50))}${ms(of((m) => m.whole.p95))}` +
      `  processor ${["client", "host", "worker"].map((who) => ms(of((m) => m.processor[who as keyof Processor]))).join("")}`,
  );
}

/** Threads and contexts of A2A keep their state. In process, LangGraph's in-memory saver does the same. */
const isKept = ({ path }: Workload): boolean => path.includes("{thread}") || path.startsWith("/a2a/");

async function compare(server: TestServer, workload: Workload): Promise<void> {
  const url = server.url + workload.path;
  const bare = await startBare(await capture(url.replace("{thread}", uuid()), workload.body));
  for (const callers of CALLERS) {
    const rounds: Record<"process" | "bare" | "ours", Measured[]> = { process: [], bare: [], ours: [] };
    for (let round = 0; round < ROUNDS; round++) {
      rounds.process.push(inProcess(workload.graph, callers, SECONDS, isKept(workload)));
      rounds.bare.push(await overHttp(bare.url, workload.body, callers, bare.pid));
      rounds.ours.push(await overHttp(url, workload.body, callers, server.pid));
    }
    row(`graph "${workload.graph}" in process, ${callers}`, rounds.process);
    row(`bare route, same bytes, ${callers}`, rounds.bare);
    row(`${workload.name}, ${callers}`, rounds.ours);
    const rates = (list: Measured[]): number => median(list.map((m) => m.perSecond));
    const limit = Math.min(rates(rounds.process), rates(rounds.bare));
    const over = (pick: (m: Measured) => number): number =>
      median(rounds.ours.map(pick)) - median(rounds.process.map(pick));
    console.log(
      `  = ${((100 * rates(rounds.ours)) / limit).toFixed(0)} % of the smaller limit;` +
        ` added to the time in process: first ${over((m) => m.first.p50).toFixed(2)} ms, whole ${over((m) => m.whole.p50).toFixed(2)} ms\n`,
    );
  }
  bare.stop();
}

const app = resolve(import.meta.dirname, "app");

/** A group of measurements with a server of its own. */
function onServer(measureIt: (server: TestServer) => Promise<void>, options?: TestServerOptions): Groups[string] {
  return async () => {
    const server = await startServer(options ?? { app });
    await measureIt(server);
    await server.stop();
  };
}

async function idle(server: TestServer): Promise<void> {
  const heap = await inspectHeap(server);
  await idleStreams(server, heap, 1_000);
  await stoppedReader(server, heap);
  heap.close();
  await killedWorker(server);
}

const groups: Groups = {
  ...Object.fromEntries(workloads.map((one) => [one.name, onServer((server) => compare(server, one))])),
  idle: onServer(idle, { app, env: INSPECTED }),
  a2a: onServer(taskStreams),
  thread: longThread,
  search: manyThreads,
  long: longReads,
  hostile: onServer(hostileNeighbour, { env: { GRAPHLIB_GRACE_SECONDS: "1" } }),
  bodies: onServer(largeBodies),
};

await runGroups(import.meta.filename, groups, () => {
  const cpu = cpus();
  console.log(
    `${packageJson.name} ${packageJson.version}, Node ${process.version}, Next ${packageJson.dependencies.next},` +
      ` LangGraph ${packageJson.dependencies["@langchain/langgraph"]}, ${cpu.length} x ${cpu[0]?.model ?? "?"}`,
  );
  console.log(`${ROUNDS} rounds of ${SECONDS} s; median, slowest and fastest rate; p50 and p95 in ms\n`);
  buildBare();
});
