/** The order in which rounds measure, and figures that are compared round by round. */
import { median } from "./measure.ts";

/** Returns the items in the order of a round. In as many rounds as there are items, each item has every place once. */
export function rotate<T>(items: readonly T[], round: number): T[] {
  const first = items.length === 0 ? 0 : round % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

/** A figure of several rounds: its median, its smallest and its largest value. */
export interface Figure {
  median: number;
  least: number;
  most: number;
}

/** Compares what was measured in the same round, so that a drift of the machine over the rounds changes both alike. */
export function compareRounds<T>(
  ours: readonly T[],
  others: readonly T[],
  compare: (ours: T, other: T) => number,
): Figure {
  if (ours.length !== others.length) throw new Error(`${ours.length} and ${others.length} rounds cannot be compared`);
  const values = ours.flatMap((one, round) => others.slice(round, round + 1).map((other) => compare(one, other)));
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) };
}
