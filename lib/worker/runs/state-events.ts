import { isObject } from "../../protocol/json.ts";
import { isList } from "../message.ts";

export const INTERRUPT = "__interrupt__";

/**
 * LangGraph tells an interrupt as `values` that hold nothing else, one at a time. Here it is added to the state it
 * interrupts, together with those that came before, so that the last `values` of a run say all there is to say
 * (docs/api/runs.md#interrupts-and-commands). A breakpoint, which interrupts with nothing, stays as it is.
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
