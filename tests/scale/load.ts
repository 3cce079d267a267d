/** Runs of three nodes on threads, as clients behind a load balancer start and follow them, and what has to be true afterwards. */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "@langchain/langgraph-sdk";
import type { Cluster } from "./cluster.ts";

export interface Load {
  runs: readonly { thread: string; run: string }[];
  /** Resolves with the ids of the events of each run that was followed. */
  followed: Promise<{ thread: string; run: string; ids: number[] }[]>;
  /** Resolves when every run has ended. */
  ended: Promise<void>;
}

const clientOf = (url: string): Client => new Client({ apiUrl: url, apiKey: null, callerOptions: { maxRetries: 0 } });

/** Calls again until a server answers, as clients do that lose a connection. */
async function again<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch {
      await pause(50);
    }
  }
}

export async function startLoad({ balancer }: Pick<Cluster, "balancer">, runs: number, threads: number): Promise<Load> {
  const client = clientOf(balancer.url);
  const made = await Promise.all(Array.from({ length: threads }, () => again(() => client.threads.create())));
  const started = await Promise.all(
    Array.from({ length: runs }, async (_, n) => {
      const thread = made[n % threads]?.thread_id ?? "";
      const options = { input: {}, durability: "sync", streamMode: "updates", streamResumable: true } as const;
      return { thread, run: (await again(() => client.runs.create(thread, "count", options))).run_id };
    }),
  );
  const some = started.filter((_, n) => n % Math.ceil(runs / 50) === 0);
  return {
    runs: started,
    followed: Promise.all(some.map(async (one) => ({ ...one, ids: await follow(balancer.url, one) }))),
    ended: untilEnded(client, started),
  };
}

/** Returns the ids of all events of a run, over any number of broken connections. */
async function follow(url: string, { thread, run }: { thread: string; run: string }): Promise<number[]> {
  const client = clientOf(url);
  const ids: number[] = [];
  for (;;) {
    try {
      const lastEventId = String(ids.at(-1) ?? -1);
      for await (const part of client.runs.joinStream(thread, run, { lastEventId })) ids.push(Number(part.id));
      if (isOver((await client.runs.get(thread, run)).status)) return ids;
    } catch {
      await pause(50);
    }
  }
}

const isOver = (status: string): boolean => status !== "pending" && status !== "running";

async function untilEnded(client: Client, runs: Load["runs"]): Promise<void> {
  let left = [...runs];
  while (left.length > 0) {
    await pause(250);
    const states = await Promise.all(left.map(({ thread, run }) => again(() => client.runs.get(thread, run))));
    left = left.filter((_, n) => !isOver(states[n]?.status ?? ""));
  }
}

/** Returns what is wrong after a load has ended; empty if nothing is. */
export async function faultsOf({ members, trace }: Cluster, { runs, followed }: Load): Promise<string[]> {
  const faults: string[] = [];
  const servers = members.filter((one) => one.roles.includes("api"));
  const client = clientOf(servers[0]?.url ?? "");
  const nodes = Map.groupBy(
    readFileSync(trace, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split(" ")),
    ([run = ""]) => run,
  );
  const succeeded = new Map<string, number>();
  for (const { thread, run } of runs) {
    const { status } = await client.runs.get(thread, run);
    const begun = (nodes.get(run) ?? []).map(([, node]) => node);
    if (status !== "success" && status !== "error") faults.push(`run ${run} is ${status}`);
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
