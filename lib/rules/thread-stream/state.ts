/** Converts `values`, `updates` and the interrupts that they carry (docs/api/thread-streams.md#events). */
import { isObject, parseJson } from "../../protocol/json.ts";
import { boundedMap } from "./bounded-map.ts";
import type { UnnumberedEvent } from "./unnumbered-event.ts";

const INTERRUPT = "__interrupt__";
const QUOTED_INTERRUPT = `"${INTERRUPT}"`;

export interface StateConverter {
  /** `whole` is true when all tasks of the step are done. */
  values(data: string, namespace: readonly string[]): { events: UnnumberedEvent[]; whole: boolean };
  updates(data: string, namespace: readonly string[]): { events: UnnumberedEvent[]; nodes: string[] };
  /** Set if the newest events say that the graph waits for a person or has stopped at a breakpoint. */
  interrupted: boolean;
}

/** The most characters of the newest states, and of the ids of interrupts. Evicted ones may be emitted again. */
const MOST_STATES = 48 * 1024 * 1024;
const MOST_INTERRUPTS = 4 * 1024 * 1024;
/** The most nodes and interrupts of one event that are emitted, since each becomes an event. */
const MOST_EMITTED = 1_000;

export function stateConverter(): StateConverter {
  /** The newest state of each namespace as text: the state beside an interrupt was mostly emitted before. */
  const newest = boundedMap<string>(MOST_STATES);
  const emitted = boundedMap<true>(MOST_INTERRUPTS);
  const converter: StateConverter = {
    interrupted: false,
    values(data, namespace) {
      const parsed = data.includes(QUOTED_INTERRUPT) ? parseJson(data) : undefined;
      const stops = isObject(parsed) && INTERRUPT in parsed;
      const text = stops ? JSON.stringify({ ...parsed, [INTERRUPT]: undefined }) : data;
      const key = namespace.join("|");
      const events: UnnumberedEvent[] = [];
      if (text !== "{}" && !(stops && newest.get(key) === text))
        events.push({ method: "values", namespace, data: text });
      newest.set(key, text, text.length);
      if (stops) events.push(...interrupt(parsed[INTERRUPT], namespace));
      return { events, whole: !stops };
    },
    updates(data, namespace) {
      const parsed = parseJson(data);
      if (!isObject(parsed)) return { events: [], nodes: [] };
      const nodes = Object.keys(parsed)
        .filter((node) => node !== INTERRUPT)
        .slice(0, MOST_EMITTED);
      const events = nodes.map((node): UnnumberedEvent => {
        return { method: "updates", namespace, node, data: JSON.stringify({ node, values: valuesOf(parsed[node]) }) };
      });
      if (INTERRUPT in parsed) events.push(...interrupt(parsed[INTERRUPT], namespace));
      return { events, nodes };
    },
  };
  const interrupt = (interrupts: unknown, namespace: readonly string[]): UnnumberedEvent[] => {
    converter.interrupted = true;
    const list: unknown[] = Array.isArray(interrupts) ? interrupts.slice(0, MOST_EMITTED) : [];
    return list.flatMap((one): UnnumberedEvent[] => {
      if (!isObject(one) || typeof one.id !== "string" || emitted.get(one.id)) return [];
      emitted.set(one.id, true, 0);
      const data = JSON.stringify({ interrupt_id: one.id, payload: one.value ?? null });
      return [{ method: "input.requested", namespace, data }];
    });
  };
  return converter;
}

/** Returns the update of a node as an object, whatever the node returned. */
function valuesOf(given: unknown): unknown {
  if (given === null || given === undefined) return {};
  return typeof given === "object" ? given : { value: given };
}
