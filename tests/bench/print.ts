/** Prints what was measured in several rounds. */
import { type Measured, median } from "./measure.ts";
import type { Processor } from "./processor.ts";
import { compareRounds, type Figure } from "./rounds.ts";
import { MANY_CALLERS } from "./workloads.ts";

const number = (value: number, digits: number, width: number): string =>
  (Number.isFinite(value) ? value.toFixed(digits) : "-").padStart(width);
const ms = (value: number): string => number(value, 2, 8);
const rate = (value: number): string => number(value, 0, 6);
const spread = (values: readonly number[]): string => `${rate(Math.min(...values))} -${rate(Math.max(...values))}`;

export function printRow(label: string, rounds: readonly Measured[]): void {
  const of = (pick: (measured: Measured) => number): number => median(rounds.map(pick));
  const processor = (who: keyof Processor): string => ms(of((m) => m.processor[who]));
  console.log(
    `${label.padEnd(44)}${rate(of((m) => m.perSecond))}/s ${spread(rounds.map((m) => m.perSecond))}` +
      `  first ${ms(of((m) => m.first.p50))}${ms(of((m) => m.first.p95))}` +
      `  whole ${ms(of((m) => m.whole.p50))}${ms(of((m) => m.whole.p95))}` +
      `  processor ${processor("client")}${processor("host")}${processor("worker")}`,
  );
}

const figure = ({ median: middle, least, most }: Figure, digits: number, unit = ""): string =>
  `${middle.toFixed(digits)}${unit} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;

/** In process, the graph and the client are one process: its processor time is counted as the client's. */
const graphTime = ({ processor }: Measured): number => processor.client;
const serverTime = ({ processor }: Measured): number => processor.host + processor.worker;

/** Prints what a server adds to a graph in process, to be held against the targets. */
export function printRatios(ours: readonly Measured[], process: readonly Measured[], route: readonly Measured[]): void {
  const typical = (rounds: readonly Measured[]): number => median(rounds.map((m) => m.perSecond));
  const limit = typical(process) < typical(route) ? process : route;
  const ofLimit = compareRounds(ours, limit, (a, b) => (100 * a.perSecond) / b.perSecond);
  const first = compareRounds(ours, process, (a, b) => a.first.p50 - b.first.p50);
  const whole = compareRounds(ours, process, (a, b) => a.whole.p50 - b.whole.p50);
  const host = compareRounds(ours, process, (a, b) => a.processor.host / graphTime(b));
  const worker = compareRounds(ours, process, (a, b) => a.processor.worker / graphTime(b));
  console.log(
    `  = ${figure(ofLimit, 0, " %")} of the smaller limit;` +
      ` added to the time in process: first ${figure(first, 2, " ms")}, whole ${figure(whole, 2, " ms")}`,
  );
  console.log(`  = processor time over that in process: host ${figure(host, 2)}, worker ${figure(worker, 2)}`);
}

/** Prints how a server compares with another one. `busy` is that one with more callers, so that it does not wait for them. */
export function printOther(
  label: string,
  ours: readonly Measured[],
  theirs: readonly Measured[],
  busy?: readonly Measured[],
): void {
  const compared = (others: readonly Measured[]): string => {
    const rates = compareRounds(ours, others, (a, b) => a.perSecond / b.perSecond);
    const times = compareRounds(ours, others, (a, b) => serverTime(a) / serverTime(b));
    return `${figure(rates, 1)} times its rate, ${figure(times, 2)} times its processor time`;
  };
  console.log(`  = over ${label}: ${compared(theirs)}`);
  if (busy) console.log(`  = over it with ${MANY_CALLERS} callers: ${compared(busy)}`);
}
