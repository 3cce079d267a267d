import type { ItemId } from "#lib/client/store.ts";

export const isSameItem = (a: ItemId | undefined, b: ItemId): boolean =>
  a !== undefined && a.key === b.key && a.namespace.join(".") === b.namespace.join(".");

/** How near an item is to what was searched for; 1 is nearest. */
export function Score({ score }: { score: number }) {
  return <span title="Nearness to what you search for; 1 is nearest">score {score.toFixed(3)}</span>;
}
