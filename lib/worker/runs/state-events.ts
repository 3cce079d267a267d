import { isObject } from "../../protocol/json.ts";
import { isList } from "../message.ts";

export const INTERRUPT = "__interrupt__";

/**
 * Adds interrupts to the state that they interrupt, so that the last `values` of a run are complete. LangGraph streams
 * each interrupt alone, in `values` that hold nothing else. A breakpoint, which has no interrupts, stays as it is.
 */
export function stateEvents(): { withInterrupts(values: unknown, namespace: string): unknown } {
  const latest = new Map<string, { values: object; interrupts: unknown[] }>();
  return {
    withInterrupts(values, namespace) {
      if (!isObject(values)) return values;
      const known = latest.get(namespace) ?? { values: {}, interrupts: [] };
      const interrupts = values[INTERRUPT];
      if (!isList(interrupts)) known.values = values;
      else if (interrupts.length === 0) return values;
      else known.interrupts.push(...interrupts);
      latest.set(namespace, known);
      return known.interrupts.length === 0 ? values : { ...known.values, [INTERRUPT]: known.interrupts };
    },
  };
}
