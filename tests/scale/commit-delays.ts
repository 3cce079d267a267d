/** How long events take from their commit to a client of a server that does not execute the run. */
import pg from "pg";
import type { Cluster } from "./cluster.ts";
import { clientOf } from "./load.ts";

/** The setting of PostgreSQL with which it knows when each row was committed. */
export const COMMIT_TIMES = "track_commit_timestamp = on";

const RUNS = 10;

/** Follows runs of 100 events, one at a time, and returns the delay of each event in ms. */
export async function commitDelays({ members, postgres }: Cluster): Promise<number[]> {
  const servers = members.filter(({ roles }) => roles === "api");
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  const delays: number[] = [];
  for (let n = 0; n < RUNS; n++) {
    const client = clientOf(servers[n % servers.length]?.url ?? "");
    const { thread_id: thread } = await client.threads.create();
    const options = { input: { messages: [] }, streamMode: "custom", streamResumable: true } as const;
    const { run_id } = await client.runs.create(thread, "ticks", options);
    const came = new Map<number, number>();
    for await (const { id } of client.runs.joinStream(thread, run_id))
      came.set(Number(id), performance.timeOrigin + performance.now());
    const query = `select first_event, last_event, extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000 as at
      from scale_default.run_events where run_id = $1`;
    const { rows } = await database.query<Record<"first_event" | "last_event" | "at", string>>(query, [run_id]);
    for (const { first_event, last_event, at } of rows)
      for (let id = Number(first_event); id <= Number(last_event); id++) {
        const arrival = came.get(id);
        // Events from before the client has joined, and the last one, which the client library takes for itself, do not come.
        if (arrival !== undefined) delays.push(arrival - Number(at));
      }
  }
  await database.end();
  return delays;
}
