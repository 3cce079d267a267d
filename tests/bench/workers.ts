import { cpus } from "node:os";
import { resolve } from "node:path";
import type { ProcessCounts } from "../../lib/protocol/deployments.ts";
import { rawStream } from "../support/raw.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { httpClient } from "./http-client.ts";
import { type Measured, measure, median, ROUNDS, SECONDS } from "./measure.ts";

const COUNTS = [1, 2, 4] as const;
const CALLERS = 32;
/** Tokens of one run of the graph `tokens`. */
const TOKENS = 100;
/** The tokens a second that one server should carry. */
const TARGET = 100_000;
const body = JSON.stringify({
  assistant_id: "tokens",
  input: { messages: [{ role: "user", content: "hello" }] },
  stream_mode: "messages-tuple",
});

/**
 * Measures the tokens a second through one server whose deployment has one, two and four processes. Client, host and
 * processes share the processors of this machine. So the time that each of them takes for a run is printed as well, and
 * what follows from it for a machine where each has processors of its own.
 */
export async function severalWorkers(): Promise<void> {
  const servers: { count: number; server: TestServer; rounds: Measured[] }[] = [];
  for (const count of COUNTS) servers.push({ count, server: await serverWith(count), rounds: [] });
  for (let round = 0; round < ROUNDS; round++) {
    for (const { server, rounds } of servers) {
      const client = httpClient(CALLERS);
      const run = (first: () => void): Promise<void> => client.post(`${server.url}/runs/stream`, body, first);
      rounds.push(await measure(CALLERS, SECONDS, run, server.pid));
      client.close();
    }
  }
  for (const { count, rounds } of servers) report(count, rounds);
  for (const { server } of servers) await server.stop();
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

function report(count: number, rounds: readonly Measured[]): void {
  const of = (pick: (measured: Measured) => number): number => median(rounds.map(pick));
  const rates = rounds.map((round) => round.perSecond * TOKENS);
  const [client, host, worker] = [
    of((m) => m.processor.client),
    of((m) => m.processor.host),
    of((m) => m.processor.worker),
  ];
  const used = (of((m) => m.perSecond) * (client + host + worker)) / 1000;
  const perCore = (ms: number): number => (1000 / ms) * TOKENS;
  const name = `${count} ${count === 1 ? "process" : "processes"}, ${CALLERS} callers`;
  console.log(
    `${name.padEnd(28)}${whole(median(rates)).padStart(8)} tokens/s` +
      ` (${whole(Math.min(...rates))} - ${whole(Math.max(...rates))}), ${used.toFixed(1)} of ${cpus().length} processors busy;` +
      ` processor ms a run: client ${client.toFixed(2)}, host ${host.toFixed(2)}, processes ${worker.toFixed(2)}`,
  );
  console.log(
    `  by these times, one core of the host carries ${whole(perCore(host))} tokens/s, and one of a process ${whole(perCore(worker))};` +
      ` ${whole(TARGET)} tokens/s take ${(TARGET / perCore(host)).toFixed(1)} cores of the host and ${(TARGET / perCore(worker)).toFixed(1)} of processes\n`,
  );
}
