"use client";

import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { ItemList, type ItemListState } from "#lib/client/item-list.ts";
import type { StoreApi } from "#lib/client/store.ts";
import type { Item } from "#lib/protocol/store.ts";
import { hasWords, readItemQuery } from "#lib/rules/store/item-query.ts";
import { useSettled } from "../_rooms/use-settled.ts";
import { labelsOf } from "./store-query.ts";

/** The most items whose words are searched. */
export const MOST_SEARCHED = 10_000;

export interface Items extends ItemListState {
  /** The items that have all the words. */
  readonly shown: readonly Item[];
  readonly hasWords: boolean;
  readonly more: () => void;
  /** Reads the items of the newest search again: a request may end after the search has become another one. */
  readonly refresh: () => Promise<void>;
}

const NOTHING = readItemQuery("");

/** Reads the items of a namespace that match what a person has typed: conditions by the API, words in the browser. */
export function useItems(api: StoreApi, namespace: string, text: string, by: "text" | "meaning"): Items {
  const settled = useSettled(text);
  const query = by === "meaning" && settled.trim() !== "" ? settled : undefined;
  const { filter, words } = useMemo(() => (by === "meaning" ? NOTHING : readItemQuery(settled)), [by, settled]);
  const filterText = JSON.stringify(filter);
  const list = useMemo(
    () =>
      new ItemList(api, {
        namespace: labelsOf(namespace),
        filter: JSON.parse(filterText) as typeof filter,
        query,
      }),
    [api, namespace, filterText, query],
  );
  const state = useSyncExternalStore(list.subscribe, list.state, list.state);
  const isSearched = words.length > 0;
  const newest = useRef(list);
  useEffect(() => {
    newest.current = list;
    void (isSearched ? list.upTo(MOST_SEARCHED) : list.more());
  }, [list, isSearched]);
  const { items } = state;
  const shown = useMemo(() => (words.length > 0 ? items.filter((one) => hasWords(one, words)) : items), [items, words]);
  return {
    ...state,
    shown,
    hasWords: isSearched,
    more: () => void list.more(),
    refresh: () => newest.current.refresh(),
  };
}
