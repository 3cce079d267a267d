import { rank } from "#lib/rules/text/rank.ts";
import type { PaletteChoice } from "./palette-choices.ts";

export interface ChoiceGroup {
  readonly title: string;
  readonly choices: readonly PaletteChoice[];
}

/** The most choices of a group, without a query and with one. */
const MOST_LISTED = 30;
const MOST_FOUND = 8;

/**
 * Returns the choices that match, in groups: the group with the best match comes first. Without a query, the groups stay
 * in the order of the choices. `used`: the ids of choices that were made lately, which come first among equals.
 */
export function groupChoices(
  query: string,
  choices: readonly PaletteChoice[],
  used: readonly string[],
): readonly ChoiceGroup[] {
  const words = query.trim().split(/\s+/).filter(Boolean).length;
  const able = choices.filter((one) => words > 1 || one.isDeep !== true);
  const groups = new Map<string, PaletteChoice[]>();
  for (const one of rank(query, words === 0 ? able : usedFirst(able, used))) {
    const group = groups.get(one.group);
    if (!group) groups.set(one.group, [one]);
    else if (group.length < (words === 0 ? MOST_LISTED : MOST_FOUND)) group.push(one);
  }
  return [...groups].map(([title, found]) => ({ title, choices: found }));
}

function usedFirst(choices: readonly PaletteChoice[], used: readonly string[]): PaletteChoice[] {
  const place = (one: PaletteChoice): number => (used.includes(one.id) ? used.indexOf(one.id) : used.length);
  return choices.toSorted((a, b) => place(a) - place(b));
}
