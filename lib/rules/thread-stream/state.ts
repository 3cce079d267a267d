/** Converts `values`, `updates` and the interrupts that they carry (docs/api/thread-streams.md#events). */
import { isObject, type JsonObject, parseJson } from "../../protocol/json.ts";
import { remembered } from "./remembered.ts";
import type { Told } from "./told.ts";

const INTERRUPT = "__interrupt__";
const QUOTED_INTERRUPT = `"${INTERRUPT}"`;

export interface StateTeller {
  /** `whole` is true when all tasks of the step are done. */
  values(data: string, namespace: readonly string[]): { told: Told[]; whole: boolean };
  updates(data: string, namespace: readonly string[]): { told: Told[]; nodes: string[] };
  /** Whether the newest events say that the graph waits for a person or has stopped at a breakpoint. */
  interrupted: boolean;
}

/** The most characters of the newest states, and of the ids of interrupts. Evicted ones may be emitted again. */
const MOST_KNOWN = 48 * 1024 * 1024;
const MOST_ASKED = 4 * 1024 * 1024;
/** The most nodes and interrupts of one event that are emitted, since each becomes an event. */
const MOST_TOLD = 1_000;

export function stateTeller(): StateTeller {
  /** The newest state of each namespace as text: the state beside an interrupt was mostly emitted before. */
  const newest = remembered<string>(MOST_KNOWN);
  const asked = remembered<true>(MOST_ASKED);
  const teller: StateTeller = {
    interrupted: false,
    values(data, namespace) {
      const parsed = data.includes(QUOTED_INTERRUPT) ? parseJson(data) : undefined;
      const stops = isObject(parsed) && INTERRUPT in parsed;
      const text = stops ? withoutInterrupt(parsed) : data;
      const key = namespace.join("|");
      const told: Told[] = [];
      if (text !== "{}" && !(stops && newest.get(key) === text)) told.push({ method: "values", namespace, data: text });
      newest.set(key, text, text.length);
      if (stops) told.push(...interrupt(parsed[INTERRUPT], namespace));
      return { told, whole: !stops };
    },
    updates(data, namespace) {
      const parsed = parseJson(data);
      if (!isObject(parsed)) return { told: [], nodes: [] };
      const nodes = Object.keys(parsed)
        .filter((node) => node !== INTERRUPT)
        .slice(0, MOST_TOLD);
      const told = nodes.map((node): Told => {
        return { method: "updates", namespace, node, data: JSON.stringify({ node, values: valuesOf(parsed[node]) }) };
      });
      if (INTERRUPT in parsed) told.push(...interrupt(parsed[INTERRUPT], namespace));
      return { told, nodes };
    },
  };
  const interrupt = (interrupts: unknown, namespace: readonly string[]): Told[] => {
    teller.interrupted = true;
    const list: unknown[] = Array.isArray(interrupts) ? interrupts.slice(0, MOST_TOLD) : [];
    return list.flatMap((one): Told[] => {
      if (!isObject(one) || typeof one.id !== "string" || asked.get(one.id)) return [];
      asked.set(one.id, true, 0);
      const data = JSON.stringify({ interrupt_id: one.id, payload: one.value ?? null });
      return [{ method: "input.requested", namespace, data }];
    });
  };
  return teller;
}

function withoutInterrupt(values: JsonObject): string {
  return JSON.stringify({ ...values, [INTERRUPT]: undefined });
}

/** Returns the update of a node as an object, whatever the node returned. */
function valuesOf(given: unknown): unknown {
  if (given === null || given === undefined) return {};
  return typeof given === "object" ? given : { value: given };
}
