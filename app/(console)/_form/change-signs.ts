import type { StateChange } from "#lib/rules/studio/state-difference.ts";

/** The sign, the word and the colour of each kind of change. */
export const CHANGE_SIGNS: Record<
  StateChange["kind"],
  { readonly sign: string; readonly word: string; readonly ink: string }
> = {
  added: { sign: "+", word: "Added", ink: "text-ok" },
  appended: { sign: "+", word: "Appended", ink: "text-ok" },
  changed: { sign: "~", word: "Changed", ink: "text-running" },
  replaced: { sign: "~", word: "Replaced", ink: "text-running" },
  removed: { sign: "−", word: "Removed", ink: "text-bad" },
};
