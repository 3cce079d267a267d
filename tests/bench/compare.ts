/** Compares a workload with LangGraph in process, with a bare route, and with another server if one is installed. */
import { v7 as uuid } from "uuid";
import type { TestServer } from "../support/server.ts";
import { capture } from "./http-client.ts";
import { findLanggraphApi } from "./langgraph-api.ts";
import { type Measured, ROUNDS, SECONDS } from "./measure.ts";
import { printOther, printRatios, printRow } from "./print.ts";
import { rotate } from "./rounds.ts";
import { inProcess, startBare } from "./servers.ts";
import { findDifference } from "./stream-content.ts";
import { CALLERS, isKept, MANY_CALLERS, overHttp, type Workload } from "./workloads.ts";

/** Something that is measured in every round. */
interface Contestant {
  label: string;
  measure(callers: number): Measured | Promise<Measured>;
  /** The measurements, keyed by the number of callers, in the order of the rounds. */
  rounds: Map<number, Measured[]>;
}

const contestant = (
  label: string,
  measure: Contestant["measure"],
  numbers: readonly number[] = CALLERS,
): Contestant => ({ label, measure, rounds: new Map(numbers.map((callers) => [callers, []])) });

/** Measures all contestants with all numbers of callers in every round, each round in another order. Prints the figures. */
export async function compare(server: TestServer, workload: Workload): Promise<void> {
  const { body } = workload;
  const url = server.url + workload.path;
  const pieces = await capture(url.replace("{thread}", uuid()), body);
  const bare = await startBare(pieces);
  const process = contestant(`graph "${workload.graph}" in process`, (callers) =>
    inProcess(workload.graph, callers, SECONDS, isKept(workload)),
  );
  const route = contestant("bare route, same bytes", (callers) => overHttp(bare.url, body, callers, bare.pid));
  const ours = contestant(workload.name, (callers) => overHttp(url, body, callers, server.pid));
  const other = await otherServer(workload, pieces);
  const all = [process, route, ours, ...(other ? [other] : [])];
  for (let round = 0; round < ROUNDS; round++)
    for (const callers of rotate([...CALLERS, MANY_CALLERS], round))
      for (const one of rotate(all, round)) one.rounds.get(callers)?.push(await one.measure(callers));
  bare.stop();
  for (const callers of CALLERS) {
    const of = ({ rounds }: Contestant): Measured[] => rounds.get(callers) ?? [];
    for (const one of all) printRow(`${one.label}, ${callers}`, of(one));
    const busy = callers === CALLERS.at(-1) ? other?.rounds.get(MANY_CALLERS) : undefined;
    if (other && busy) printRow(`${other.label}, ${MANY_CALLERS}`, busy);
    printRatios(of(ours), of(process), of(route));
    if (other) printOther(other.label, of(ours), of(other), busy);
    console.log();
  }
}

/** Returns the other server if it is installed and serves this workload. Throws if its answer has another content. */
async function otherServer(workload: Workload, pieces: readonly string[]): Promise<Contestant | undefined> {
  const api = findLanggraphApi();
  if (api === undefined || !api.serves(workload)) return undefined;
  const { body, path } = workload;
  const checked = await api.start();
  const theirs = await capture(checked.url + path.replace("{thread}", uuid()), body, { warm: 0 });
  await checked.stop();
  const difference = findDifference(pieces.join(""), theirs.join(""));
  if (difference !== undefined) throw new Error(`${api.label} streams something else: ${difference}`);
  const measure = async (callers: number): Promise<Measured> => {
    // A new process each time: it gets slower with the runs that it holds, and writes them to a file once it was idle for 3 s.
    const started = await api.start();
    const measured = await overHttp(started.url + path, body, callers, started.pid);
    await started.stop();
    return measured;
  };
  return contestant(api.label, measure, [...CALLERS, MANY_CALLERS]);
}
