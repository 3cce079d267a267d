/** Measures reads of a long thread and of a long run, compared with short ones, after a restart has emptied all caches. */
import { resolve } from "node:path";
import { v7 as uuid } from "uuid";
import { startServer } from "../support/server.ts";
import { httpClient } from "./http-client.ts";
import { measure, median, ROUNDS, SECONDS } from "./measure.ts";

const LENGTHS = [10, 1_000] as const;
/** The number of events that a resumed stream still has to read, including the last. */
const LEFT = 5;

interface Long {
  thread: string;
  run: string;
  events: number;
}

export async function longReads(): Promise<void> {
  const app = resolve(import.meta.dirname, "app");
  const first = await startServer({ app });
  const [short, long] = [await grow(first.url, LENGTHS[0]), await grow(first.url, LENGTHS[1])];
  await first.crash();
  const server = await startServer({ app, home: first.home });
  const client = httpClient(1);
  const history = ({ thread }: Long) =>
    client.post(`${server.url}/threads/${thread}/history`, '{"limit":10}', () => undefined);
  const resume = ({ thread, run, events }: Long) =>
    client.get(`${server.url}/threads/${thread}/runs/${run}/stream`, { "last-event-id": String(events - LEFT) });
  await compare(`a page of 10 states, of ${LENGTHS.join(" and ")} checkpoints`, history, short, long);
  await compare(`the last events of ${short.events} and ${long.events}`, resume, short, long);
  console.log();
  client.close();
  await server.stop();
}

async function compare(what: string, read: (of: Long) => Promise<void>, short: Long, long: Long): Promise<void> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, of] of [short, long].entries())
      times[index]?.push((await measure(1, SECONDS / 2, () => read(of))).whole.p50);
  const [a, b] = [median(times[0]), median(times[1])];
  console.log(`${what}: ${a.toFixed(2)} and ${b.toFixed(2)} ms, ratio ${(b / a).toFixed(2)}`);
}

/** Makes a thread with this many checkpoints, by a run with as many events. */
async function grow(url: string, steps: number): Promise<Long> {
  const thread = uuid();
  const body = JSON.stringify({
    assistant_id: "steps",
    input: { left: steps },
    config: { recursion_limit: steps + 10 },
    stream_mode: "custom",
    stream_resumable: true,
    if_not_exists: "create",
  });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/threads/${thread}/runs/stream`, { method: "POST", headers, body });
  const ids = [...(await answer.text()).matchAll(/^id: (\d+)$/gm)];
  const run = /\/runs\/([^/]+)/.exec(answer.headers.get("content-location") ?? "")?.[1] ?? "";
  return { thread, run, events: Number(ids.at(-1)?.[1]) };
}
