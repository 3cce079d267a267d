import { quotedCondition } from "#lib/rules/threads/filter-text.ts";

/** Says how a filter is written whose value has spaces; undefined if no words follow a condition. */
export function quotesNeeded(q: string): string | undefined {
  const condition = quotedCondition(q);
  return condition === undefined ? undefined : `A value with spaces needs quotes: ${condition.slice(0, 120)}`;
}
