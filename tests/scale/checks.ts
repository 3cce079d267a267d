/** The checks after a load has ended. */
import pg from "pg";
import { Run } from "../../lib/protocol/runs.ts";
import type { Cluster } from "./cluster.ts";
import { clientOf, follow, type Load } from "./load.ts";
import { readTrace } from "./trace.ts";

const Outcome = Run.pick({ status: true, error: true });
/** The error of a run that was given up because its servers were killed too often. */
const GIVEN_UP = "ServerLost";

/** Returns what is wrong after a load has ended; empty if nothing is. */
export async function faultsOf({ members, trace }: Cluster, { runs, followed }: Load): Promise<string[]> {
  const faults: string[] = [];
  const servers = members.filter((one) => one.roles.includes("api"));
  const client = clientOf(servers[0]?.url ?? "");
  const nodes = Map.groupBy(readTrace(trace), ({ run }) => run);
  const succeeded = new Map<string, number>();
  for (const { thread, run } of runs) {
    const { status, error } = Outcome.parse(await client.runs.get(thread, run));
    const begun = (nodes.get(run) ?? []).map(({ node }) => node);
    if (status !== "success" && error?.error !== GIVEN_UP)
      faults.push(`run ${run} is ${status}: ${error?.error} ${error?.message}`);
    if (begun.join() !== begun.toSorted().join())
      faults.push(`run ${run} did a node again that had finished: ${begun.join()}`);
    if (status === "success" && new Set(begun).size !== 3) faults.push(`run ${run} left out a node: ${begun.join()}`);
    if (status === "success") succeeded.set(thread, (succeeded.get(thread) ?? 0) + 1);
  }
  for (const [thread, count] of succeeded) {
    const { values } = await client.threads.getState<{ done?: string[] }>(thread);
    const done = values.done?.length ?? 0;
    // A run that was given up may have finished some of its nodes.
    if (done < 3 * count) faults.push(`thread ${thread} has ${done} of the ${3 * count} nodes of its runs`);
  }
  const busy = await client.threads.search({ status: "busy" });
  if (busy.length > 0) faults.push(`${busy.length} threads are busy`);
  for (const { thread, run, ids } of await followed) {
    if (ids.some((id, n) => id !== n)) faults.push(`run ${run} was followed with a gap: ${ids.join()}`);
    for (const { url } of servers) {
      const read = await follow(url, { thread, run });
      if (read.join() !== ids.join())
        faults.push(`run ${run} was followed as ${ids.join()}, and is read as ${read.join()} at ${url}`);
    }
  }
  return faults;
}

/** Returns how many of the runs failed because their servers were killed too often. */
export async function givenUp({ balancer }: Pick<Cluster, "balancer">, { runs }: Load): Promise<number> {
  const client = clientOf(balancer.url);
  const all = await Promise.all(runs.map(({ thread, run }) => client.runs.get(thread, run)));
  return all.filter(({ status }) => status === "error").length;
}

/** Returns how many of the runs have used an attempt, because a server was lost that executed them. */
export async function attemptsUsed({ postgres }: Cluster): Promise<number> {
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  const { rows } = await database.query<{ count: string }>("select count(*) from scale_default.runs where crashes > 0");
  await database.end();
  return Number(rows[0]?.count);
}
