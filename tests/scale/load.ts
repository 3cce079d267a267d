/** Runs of three nodes on threads, as clients behind a load balancer start and follow them. */
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

/** A client that does not try again by itself. */
export const clientOf = (url: string): Client =>
  new Client({ apiUrl: url, apiKey: null, callerOptions: { maxRetries: 0 } });

/** Calls again until a server answers, as clients do that lose a connection. */
export async function again<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch {
      await pause(50);
    }
  }
}

/** The options of every run. `ms` is how long each node takes. */
const optionsOf = (ms?: number) =>
  ({ input: { ms }, durability: "sync", streamMode: "updates", streamResumable: true }) as const;

async function makeThreads(client: Client, count: number): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: count }, () => again(() => client.threads.create())));
  return made.map(({ thread_id }) => thread_id);
}

/** Starts runs at once, one in ten of which is followed. */
export async function startLoad(
  { balancer }: Pick<Cluster, "balancer">,
  { runs, threads, ms }: { runs: number; threads: number; ms?: number },
): Promise<Load> {
  const client = clientOf(balancer.url);
  const made = await makeThreads(client, threads);
  const started = await Promise.all(
    Array.from({ length: runs }, async (_, n) => {
      const thread = made[n % threads] ?? "";
      return { thread, run: (await again(() => client.runs.create(thread, "count", optionsOf(ms)))).run_id };
    }),
  );
  const some = started.filter((_, n) => n % Math.ceil(runs / 50) === 0);
  return {
    runs: started,
    followed: Promise.all(some.map(async (one) => ({ ...one, ids: await follow(balancer.url, one) }))),
    ended: untilEnded(client, started),
  };
}

export interface SteadyLoad {
  /** Starts no more runs, and resolves with those that were started, all of which are followed. */
  end(): Promise<Load>;
  /** The requests that a server has not taken. */
  readonly refused: readonly string[];
}

/** Starts a run every `everyMs`, each on its own thread. No request is repeated. */
export function startSteadyLoad(
  { balancer }: Pick<Cluster, "balancer">,
  { everyMs, ms }: { everyMs: number; ms: number },
): SteadyLoad {
  const client = clientOf(balancer.url);
  const refused: string[] = [];
  const started: Promise<{ thread: string; run: string; ids: number[] } | undefined>[] = [];
  const start = async () => {
    try {
      const { thread_id: thread } = await client.threads.create();
      const { run_id: run } = await client.runs.create(thread, "count", optionsOf(ms));
      return { thread, run, ids: await follow(balancer.url, { thread, run }) };
    } catch (error) {
      refused.push(String(error));
      return undefined;
    }
  };
  const timer = setInterval(() => started.push(start()), everyMs);
  return {
    refused,
    async end() {
      clearInterval(timer);
      const followed = (await Promise.all(started)).filter((one) => one !== undefined);
      return { runs: followed, followed: Promise.resolve(followed), ended: untilEnded(client, followed) };
    },
  };
}

/** Returns the ids of all events of a run, over any number of broken connections. */
export async function follow(url: string, { thread, run }: { thread: string; run: string }): Promise<number[]> {
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
