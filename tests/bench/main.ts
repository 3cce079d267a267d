/**
 * `npm run bench [-- <part of a name>]` measures what the platform adds to the cost of LangGraph and Next, in groups that run
 * one after the other. All figures are of this machine. These environment variables change how it measures:
 *
 * - `BENCH_SECONDS` (4): how long each measurement takes
 * - `BENCH_ROUNDS` (3): how often it is repeated
 * - `BENCH_LIMIT_SECONDS` (900): when a group is ended that has not finished
 * - `BENCH_STEPS` (9990): the steps of the longest run that the studio shows
 * - `BENCH_LANGGRAPH_API`: a folder with the development server of LangGraph, which is then measured as well
 * - `BENCH_PROFILE`: a folder for CPU profiles of server and worker, whose time is then also printed by package
 */
import { resolve } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { measureSharing, reportCosts } from "../scale/several-servers.ts";
import { findPostgresPrograms } from "../support/own-postgres.ts";
import { hasRedis } from "../support/own-redis.ts";
import { startServer, type TestServer, type TestServerOptions } from "../support/server.ts";
import { largeBodies } from "./bodies.ts";
import { compare } from "./compare.ts";
import { inspectHeap } from "./heap.ts";
import { hostileNeighbour } from "./hostile.ts";
import { idleStreams, killedWorker, stoppedReader } from "./idle.ts";
import { INSPECTED } from "./inspector.ts";
import { describeLanggraphApi } from "./langgraph-api.ts";
import { lists } from "./lists.ts";
import { machineText } from "./machine.ts";
import { ROUNDS, SECONDS } from "./measure.ts";
import { profile } from "./profile.ts";
import { longReads } from "./reads.ts";
import { type Groups, runGroups } from "./groups.ts";
import { rooms } from "./rooms.ts";
import { manyThreads } from "./search.ts";
import { buildBare } from "./servers.ts";
import { studio } from "./studio.ts";
import { taskStreams } from "./tasks.ts";
import { longThread } from "./threads.ts";
import { severalWorkers } from "./workers.ts";
import { type Workload, workloads } from "./workloads.ts";

const app = resolve(import.meta.dirname, "app");

/** A group of measurements with a server of its own. */
function onServer(measureIt: (server: TestServer) => Promise<void>, options?: TestServerOptions): () => Promise<void> {
  return async () => {
    const server = await startServer(options ?? { app });
    await measureIt(server);
    await server.stop();
  };
}

/** Compares a workload, then profiles it on a server of its own if that was asked for. */
function comparison(workload: Workload): () => Promise<void> {
  return async () => {
    await onServer((server) => compare(server, workload))();
    await profile(workload);
  };
}

/** Measures servers that share a PostgreSQL of their own, where it and Redis are installed. */
async function sharedDatabase(): Promise<void> {
  const programs = findPostgresPrograms();
  if (programs === undefined || !hasRedis()) return;
  reportCosts(await measureSharing(programs), (name, faults, figures) =>
    console.log(`${name.padEnd(44)}${figures}${faults.map((fault) => `; ${fault}`).join("")}`),
  );
}

async function idle(server: TestServer): Promise<void> {
  const heap = await inspectHeap(server);
  await idleStreams(server, heap, 1_000);
  await stoppedReader(server, heap);
  heap.close();
  await killedWorker(server);
}

const groups: Groups = {
  ...Object.fromEntries(workloads.map((one) => [one.name, comparison(one)])),
  idle: onServer(idle, { app, env: INSPECTED }),
  a2a: onServer(taskStreams),
  thread: longThread,
  search: manyThreads,
  lists,
  studio,
  "studio rooms": rooms,
  long: longReads,
  hostile: onServer(hostileNeighbour, { env: { GRAPHLIB_GRACE_SECONDS: "1" } }),
  bodies: onServer(largeBodies),
  workers: severalWorkers,
  "several servers": sharedDatabase,
};

await runGroups(import.meta.filename, groups, () => {
  const { next, "@langchain/langgraph": langgraph } = packageJson.dependencies;
  console.log(machineText(`Node ${process.version}`, `Next ${next}`, `LangGraph ${langgraph}`));
  console.log(
    `${ROUNDS} rounds of ${SECONDS} s; median, slowest and fastest rate; p50 and p95 in ms;` +
      " processor time of client, host and worker in ms a run",
  );
  console.log(`${describeLanggraphApi()}\n`);
  buildBare();
});
