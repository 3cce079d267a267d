import { useState } from "react";
import type { ItemToPut, StoreApi } from "#lib/client/store.ts";
import type { Item } from "#lib/protocol/store.ts";
import { type SaveConflict, saveConflict } from "#lib/rules/store/save-conflict.ts";
import { useAct } from "../_ui/use-act.ts";

/** The reason why an item was not stored, and the item that is stored in its place. */
export interface Conflict {
  readonly kind: SaveConflict;
  /** Null if there is no item. */
  readonly now: Item | null;
}

/** Stores an item unless that would replace, or make again, one that the writer has not seen. */
export function useStoring(api: StoreApi, onStored: (item: ItemToPut) => void) {
  const { busy, failure, act } = useAct<"save">();
  const [conflict, setConflict] = useState<Conflict>();
  const store = async (item: ItemToPut, seen: Item | null): Promise<void> => {
    const now = await api.get(item);
    const kind = saveConflict(seen, now);
    setConflict(kind && { kind, now });
    if (kind !== undefined) return;
    await api.put(item);
    onStored(item);
  };
  return {
    isBusy: busy !== undefined,
    failure,
    conflict,
    /** `seen`: the item that the writer knows and replaces; null for none. */
    store: (item: ItemToPut, seen: Item | null): void => act("save", store(item, seen)),
    forget: () => setConflict(undefined),
  };
}
