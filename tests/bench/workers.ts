import { cpus } from "node:os";
import { resolve } from "node:path";
import type { ProcessCounts } from "../../lib/protocol/deployments.ts";
import { rawStream } from "../support/raw.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { httpClient } from "./http-client.ts";
import { type Measured, measure, median, ROUNDS, SECONDS } from "./measure.ts";

const COUNTS = [1, 2, 4] as const;
const CALLERS = 32;
/** Graphs, and the tokens of a reply of each. What a run costs besides its tokens counts for a short reply most. */
const REPLIES = { tokens: 100, speech: 2_000 } as const;
type Reply = keyof typeof REPLIES;
/** Events are counted in one of this many answers, because counting takes time of the client. */
const COUNTED = 20;
/** The tokens a second that one server should carry. */
const TARGET = 100_000;
const bodyOf = (graph: Reply): string =>
  JSON.stringify({
    assistant_id: graph,
    input: { messages: [{ role: "user", content: "hello" }] },
    stream_mode: "messages-tuple",
  });

/**
 * Measures the tokens a second through one server whose deployment has one, two and four processes. Client, host and
 * processes share the processors of this machine. So the time that each of them takes for a run is printed as well, and
 * what follows from it for a machine where each has processors of its own. Graphs emit as fast as they can: tokens that a
 * channel cannot take yet are joined, so a reply has fewer events than tokens when many are written at once.
 */
export async function severalWorkers(): Promise<void> {
  const servers: { count: number; server: TestServer }[] = [];
  for (const count of COUNTS) servers.push({ count, server: await serverWith(count) });
  for (const graph of Object.keys(REPLIES) as Reply[]) {
    const rows = servers.map((one) => ({ ...one, rounds: new Array<MeasuredReplies>() }));
    for (let round = 0; round < ROUNDS; round++) {
      for (const { server, rounds } of rows) rounds.push(await measureReplies(server, graph));
    }
    for (const { count, rounds } of rows) report(count, graph, rounds);
  }
  for (const { server } of servers) await server.stop();
}

interface MeasuredReplies extends Measured {
  /** The mean number of events with which a reply arrives. */
  events: number;
}

async function measureReplies(server: TestServer, graph: Reply): Promise<MeasuredReplies> {
  const client = httpClient(CALLERS);
  const body = bodyOf(graph);
  const counts: number[] = [];
  let calls = 0;
  const run = async (first: () => void): Promise<void> => {
    const isCounted = calls++ % COUNTED === 0;
    let text = "";
    await client.post(`${server.url}/runs/stream`, body, (piece) => {
      first();
      if (isCounted) text += piece.toString("latin1");
    });
    if (isCounted) counts.push(text.split("event: messages\n").length - 1);
  };
  const measured = await measure(CALLERS, SECONDS, run, server.pid);
  client.close();
  return { ...measured, events: counts.reduce((sum, count) => sum + count, 0) / counts.length };
}

/** Starts a server, and waits until all processes of its deployment are ready. */
async function serverWith(workers: number): Promise<TestServer> {
  const server = await startServer({
    app: resolve(import.meta.dirname, "app"),
    env: { GRAPHLIB_WORKERS: String(workers) },
  });
  if (workers === 1) return server;
  const states = await rawStream(`${server.url}/api/deployments/events`);
  await states.until(({ event, data }) => {
    const deployments = event === "deployments" ? (JSON.parse(data) as { processes?: ProcessCounts }[]) : [];
    return deployments.some(({ processes }) => processes?.ready === workers);
  });
  states.leave();
  return server;
}

const whole = (value: number): string => Math.round(value).toLocaleString("en");

function report(count: number, graph: Reply, rounds: readonly MeasuredReplies[]): void {
  const replyTokens = REPLIES[graph];
  const of = (pick: (measured: MeasuredReplies) => number): number => median(rounds.map(pick));
  const rates = rounds.map((round) => round.perSecond * replyTokens);
  const [client, host, worker] = [
    of((m) => m.processor.client),
    of((m) => m.processor.host),
    of((m) => m.processor.worker),
  ];
  const used = (of((m) => m.perSecond) * (client + host + worker)) / 1000;
  const perCore = (ms: number): number => (1000 / ms) * replyTokens;
  const name = `${count} ${count === 1 ? "process" : "processes"}, replies of ${whole(replyTokens)}`;
  console.log(
    `${name.padEnd(34)}${whole(median(rates)).padStart(8)} tokens/s` +
      ` (${whole(Math.min(...rates))} - ${whole(Math.max(...rates))}; ${CALLERS} callers) in ${whole(of((m) => m.events))} events a reply, ${used.toFixed(1)} of ${cpus().length} processors busy;` +
      ` processor ms a run: client ${client.toFixed(2)}, host ${host.toFixed(2)}, processes ${worker.toFixed(2)}`,
  );
  console.log(
    `  by these times, one core of the host carries ${whole(perCore(host))} tokens/s, and one of a process ${whole(perCore(worker))};` +
      ` ${whole(TARGET)} tokens/s take ${(TARGET / perCore(host)).toFixed(1)} cores of the host and ${(TARGET / perCore(worker)).toFixed(1)} of processes\n`,
  );
}
