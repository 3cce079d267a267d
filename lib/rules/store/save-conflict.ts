import type { Item } from "../../protocol/store.ts";

/** The reason why storing an item would replace, or make again, something that its writer has not seen. */
export type SaveConflict = "exists" | "changed" | "deleted";

type Stored = Pick<Item, "updated_at">;

/** Compares the item that the writer has seen with the one that is stored now. Null stands for no item. */
export function saveConflict(seen: Stored | null, now: Stored | null): SaveConflict | undefined {
  if (!seen) return now ? "exists" : undefined;
  if (!now) return "deleted";
  return seen.updated_at === now.updated_at ? undefined : "changed";
}
