"use client";

import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import type { ItemId } from "#lib/client/store.ts";
import { namespaceKey } from "#lib/rules/store/namespace-tree.ts";

const QUERY = {
  /** The labels of the open namespace, joined by periods; empty for all; null if none is open, which shows all, too. */
  namespace: parseAsString,
  /** The key of the open item. */
  key: parseAsString,
  /** The namespace of the open item, if it lies below the open one. */
  in: parseAsString,
  q: parseAsString.withDefault(""),
  by: parseAsStringLiteral(["text", "meaning"]).withDefault("text"),
  edit: parseAsStringLiteral(["item", "new"]),
};

/** The part of the page that stands in its URL. */
export function useStoreQuery() {
  const [query, setQuery] = useQueryStates(QUERY);
  const path = query.namespace ?? "";
  const namespace = labelsOf(path);
  const item: ItemId | undefined =
    query.key === null ? undefined : { namespace: query.in === null ? namespace : labelsOf(query.in), key: query.key };
  const push = { history: "push" } as const;
  return {
    ...query,
    namespace: path,
    /** On phones, where one pane is seen, a namespace must be opened to see its items. */
    isOpen: query.namespace !== null || query.q !== "",
    labels: namespace,
    item,
    search: (q: string) => void setQuery({ q: q === "" ? null : q }),
    searchBy: (by: "text" | "meaning") => void setQuery({ by }),
    openNamespace: (labels: readonly string[]) =>
      void setQuery({ namespace: namespaceKey(labels), key: null, in: null, edit: null }, push),
    closeNamespace: () => void setQuery({ namespace: null, key: null, in: null, edit: null, q: null }, push),
    openItem: ({ namespace: at, key }: ItemId, history: "push" | "replace" = "push") =>
      void setQuery({ key, in: namespaceKey(at) === path ? null : namespaceKey(at), edit: null }, { history }),
    closeItem: () => void setQuery({ key: null, in: null, edit: null }, push),
    edit: query.edit,
    setEdit: (edit: "item" | "new" | null) => void setQuery({ edit }, push),
  };
}

export type StoreQuery = ReturnType<typeof useStoreQuery>;

export const labelsOf = (text: string): string[] => (text === "" ? [] : text.split("."));
