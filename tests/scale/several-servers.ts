/** Measures what five servers that share a database cost over one process on PostgreSQL: two answer, three execute. */
import { httpClient } from "../bench/http-client.ts";
import { measure, quantile, ROUNDS, SECONDS } from "../bench/measure.ts";
import { timeOfTree } from "../bench/processor.ts";
import { compareRounds, type Figure, rotate } from "../bench/rounds.ts";
import { lendThreads } from "../bench/turns.ts";
import { type Workload, workloads } from "../bench/workloads.ts";
import { COMMIT_TIMES, commitDelays } from "./commit-delays.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import type { Report } from "./report.ts";

const ROLES = ["api", "api", "run", "run", "run"];
const app = "bench/app";
/** So many callers keep three servers busy. */
const CALLERS = 20;
/** Many short rounds: the speed of a machine that others use as well changes within seconds. */
const SHORT_ROUNDS = 4 * ROUNDS;
const SHORT_SECONDS = SECONDS / 2;
/**
 * While servers and workers are new, they compile what they execute, and a worker that was idle for three seconds is nearly like new.
 * So processor time is measured in turns that are shorter than that, and the first rounds do not count.
 */
const TURN_SECONDS = 1;
const WARM_UP_ROUNDS = 20;
const PROCESSOR_ROUNDS = 3 * SHORT_ROUNDS;

type Posted = Pick<Workload, "path" | "body">;

const oneEvent = workloadOf("runs/stream, 1 event");
/** One process stores no event of this run, because nobody can ask for it later. */
const temporary = workloadOf("runs/stream, 100 tokens");
/** A run as the chat starts it: its events are stored, by one process too. */
const kept: Posted = {
  path: "/threads/{thread}/runs/stream",
  body: JSON.stringify({ ...JSON.parse(temporary.body), stream_resumable: true }),
};

const requests = { kept, temporary };
const WHO = ["alone", "several"] as const;

/** The figures of one cluster, round by round. */
interface Rounds {
  /** The time until the first event, in ms. */
  first: number[];
  /** The processor time of all processes in ms a run. */
  kept: number[];
  temporary: number[];
}

export interface SharingCosts {
  /** The time from the commit of an event until a client of another server has it, in ms. */
  commit: { p50: number; p95: number };
  alone: Rounds;
  several: Rounds;
}

export async function measureSharing(programs: string): Promise<SharingCosts> {
  const several = await startCluster({ programs, roles: ROLES, app, direct: true, postgresSettings: [COMMIT_TIMES] });
  const alone = await startCluster({ programs, roles: [""], app, direct: true, redis: false });
  try {
    const delays = await commitDelays(several);
    const commit = { p50: quantile(delays, 0.5), p95: quantile(delays, 0.95) };
    const none = (): Rounds => ({ first: [], kept: [], temporary: [] });
    const costs: SharingCosts = { commit, alone: none(), several: none() };
    const clusters = { alone, several };
    for (const who of WHO) await warmUp(clusters[who]);
    for (let round = 0; round < SHORT_ROUNDS; round++)
      for (const who of rotate(WHO, round)) costs[who].first.push(await firstEvent(clusters[who]));
    for (const what of ["kept", "temporary"] as const)
      for (let round = -WARM_UP_ROUNDS; round < PROCESSOR_ROUNDS; round++)
        for (const who of WHO) {
          const time = await processorTime(clusters[who], requests[what]);
          if (round >= 0) costs[who][what].push(time);
        }
    return costs;
  } finally {
    await several.close();
    await alone.close();
  }
}

const MOST = { commitP50: 3, commitP95: 10, addedFirst: 6, processorRatio: 1.8 };

/** Compares the costs with what was promised. */
export function reportCosts({ commit, alone, several }: SharingCosts, report: Report): void {
  const added = compareRounds(several.first, alone.first, (a, b) => a - b);
  const ratioOf = (what: "kept" | "temporary"): Figure => compareRounds(several[what], alone[what], (a, b) => a / b);
  const text = ({ median, least, most }: Figure): string =>
    `${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
  const over = (what: string, value: number, most: number): string[] =>
    value <= most ? [] : [`${what}: ${value.toFixed(2)} is more than ${most}`];
  report(
    "from commit to another client",
    [...over("p50", commit.p50, MOST.commitP50), ...over("p95", commit.p95, MOST.commitP95)],
    `${commit.p50.toFixed(1)} ms (p50), ${commit.p95.toFixed(1)} ms (p95)`,
  );
  report("first event", over("added", added.median, MOST.addedFirst), `${text(added)} ms more than from one process`);
  report(
    "processor time of 100 tokens",
    over("ratio", ratioOf("kept").median, MOST.processorRatio),
    `${text(ratioOf("kept"))} times that of one process; of runs whose events one process does not store,` +
      ` ${text(ratioOf("temporary"))} times`,
  );
}

function workloadOf(name: string): Posted {
  const found = workloads.find((one) => one.name === name);
  if (!found) throw new Error(`no workload is called "${name}"`);
  return found;
}

/** Returns the median time until the first event, of one caller. */
async function firstEvent(cluster: Cluster): Promise<number> {
  const { post, close } = callerOf(cluster, oneEvent, 1);
  const { first } = await measure(1, SHORT_SECONDS, post);
  close();
  return first.p50;
}

async function warmUp(cluster: Cluster): Promise<void> {
  const { post, close } = callerOf(cluster, oneEvent, CALLERS);
  await measure(CALLERS, SECONDS, post);
  close();
}

async function processorTime(cluster: Cluster, request: Posted): Promise<number> {
  const { members, postgres, redis } = cluster;
  const pids = [...members.map((one) => one.pid()), postgres.pid(), redis?.pid()].filter((pid) => pid !== undefined);
  const used = (): number => pids.reduce((sum, pid) => sum + timeOfTree(pid), 0);
  const { post, close } = callerOf(cluster, request, CALLERS);
  let runs = 0;
  const before = used();
  await measure(CALLERS, TURN_SECONDS, (first) => {
    runs += 1;
    return post(first);
  });
  const after = used();
  close();
  return (after - before) / runs;
}

/** Posts a request to one server that answers after the other. */
function callerOf({ members }: Cluster, { path, body }: Posted, callers: number) {
  const urls = members.filter(({ roles }) => roles !== "run").map(({ url }) => `${url}${path}`);
  const client = httpClient(callers);
  const lend = lendThreads();
  let turn = 0;
  return {
    post: (first: () => void) =>
      lend((thread) => client.post((urls[turn++ % urls.length] ?? "").replace("{thread}", thread), body, first)),
    close: client.close,
  };
}
