/** Compares states whose largest values were not read, and branches of a thread from where they forked. */
import { isObject } from "../../protocol/json.ts";
import { VALUES, type OmittedSizes } from "../threads/bounded-state.ts";
import type { CheckpointLanes } from "./checkpoint-lanes.ts";
import { differenceOf, type StateDifference } from "./state-difference.ts";

/** The values of a state. `omitted`: sizes of what was left out of them, in characters of JSON, by `values.<key>`. */
export interface BoundedValues {
  readonly values: unknown;
  readonly omitted?: OmittedSizes;
}

/** A key that was left out of a state for its size. */
export interface LargeKey {
  readonly key: string;
  /** The sizes in the compared states, in characters of JSON; undefined in one that does not have the key. */
  readonly sizes: readonly (number | undefined)[];
}

/** Returns the keys that were left out of one of these states at least. */
export function largeKeysOf(states: readonly BoundedValues[]): readonly LargeKey[] {
  const keys = new Set(
    states.flatMap(({ omitted = {} }) => Object.keys(omitted).map((path) => path.slice(VALUES.length))),
  );
  return [...keys].map((key) => ({ key, sizes: states.map((state) => sizeIn(state, key)) }));
}

function sizeIn({ values, omitted = {} }: BoundedValues, key: string): number | undefined {
  const path = `${VALUES}${key}`;
  if (Object.hasOwn(omitted, path)) return omitted[path];
  return isObject(values) && Object.hasOwn(values, key) ? (JSON.stringify(values[key])?.length ?? 0) : undefined;
}

/** Returns the changes of all keys but those that were left out of one of both states. */
export function smallDifferenceOf(before: BoundedValues, after: BoundedValues): StateDifference {
  return differenceWithout(new Set(largeKeysOf([before, after]).map(({ key }) => key)), before, after);
}

function differenceWithout(large: ReadonlySet<string>, before: BoundedValues, after: BoundedValues): StateDifference {
  if (large.size === 0) return differenceOf(before.values, after.values);
  const small = ({ values }: BoundedValues): unknown =>
    isObject(values) ? Object.fromEntries(Object.entries(values).filter(([key]) => !large.has(key))) : {};
  return differenceOf(small(before), small(after));
}

/** A key of the state, and its changes on two branches. */
export interface ComparedKey {
  /** Undefined for a state that has no keys. */
  readonly key: string | undefined;
  /** Both branches changed it in the same way. */
  readonly isSame: boolean;
  /** The changes on each branch since the fork. */
  readonly sides: readonly [StateDifference, StateDifference];
}

/** Compares two branches with the state at which they forked, key by key. Large keys are left to `largeKeysOf`. */
export function compareBranches(fork: BoundedValues, one: BoundedValues, other: BoundedValues): readonly ComparedKey[] {
  const large = new Set(largeKeysOf([fork, one, other]).map(({ key }) => key));
  const [left, right] = [one, other].map((side) => Map.groupBy(differenceWithout(large, fork, side), keyOf));
  const keys = new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])]);
  const isSame = (key: string | undefined): boolean =>
    differenceOf(valueAt(one.values, key), valueAt(other.values, key)).length === 0;
  return [...keys].map((key) => ({ key, isSame: isSame(key), sides: [left?.get(key) ?? [], right?.get(key) ?? []] }));
}

function keyOf({ path: [first] }: StateDifference[number]): string | undefined {
  return typeof first === "string" ? first : undefined;
}

const valueAt = (values: unknown, key: string | undefined): unknown =>
  key !== undefined && isObject(values) ? values[key] : values;

/** Returns the newest checkpoint from which both came, itself included; undefined if none is known. */
export function forkOf({ marks }: Pick<CheckpointLanes, "marks">, one: string, other: string): string | undefined {
  const way = waysUp(marks, one);
  for (const id of waysUp(marks, other)) if (way.has(id)) return id;
  return undefined;
}

/** The ids of a checkpoint and of those before it, newest first. */
function waysUp(marks: CheckpointLanes["marks"], from: string): ReadonlySet<string> {
  const way = new Set<string>();
  for (let id: string | undefined = from; id !== undefined && !way.has(id); id = marks.get(id)?.parent) {
    if (marks.get(id)) way.add(id);
  }
  return way;
}
