"use client";

import { ArrowLeft } from "lucide-react";
import { Suspense } from "react";
import { counted, grouped } from "#lib/rules/text/counted.ts";
import { Button } from "../_ui/button.tsx";
import { lazyPart } from "../_ui/lazy-part.ts";
import { LoadFailure } from "../_ui/notice.tsx";
import { Segments } from "../_ui/segments.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import type { StoreQuery } from "./store-query.ts";
import { type Items, MOST_SEARCHED } from "./use-items.ts";

const ItemRows = lazyPart(() => import("./item-rows.tsx"));

interface ItemPaneProps {
  query: StoreQuery;
  items: Items;
  by: "text" | "meaning";
  hasIndex: boolean;
  /** On phones, where one pane is seen. */
  isHidden: boolean;
}

const WAYS = [
  { value: "text", label: "Text" },
  { value: "meaning", label: "Meaning" },
] as const;

/** The search, and the items that it finds in the open namespace. */
export default function ItemPane({ query, items, by, hasIndex, isHidden }: ItemPaneProps) {
  const { shown, isComplete, isLoading, failure } = items;
  return (
    <section
      aria-label="Found items"
      className={`min-h-0 min-w-0 flex-col border-r border-line max-lg:w-full lg:flex lg:w-96 lg:shrink-0 ${isHidden ? "hidden" : "flex"}`}
    >
      <div className="flex shrink-0 flex-col gap-2 border-b border-line px-4 py-2">
        <div className="flex min-h-8 items-center gap-2">
          <Button variant="quiet" onClick={query.closeNamespace} className="-ml-2 px-2! lg:hidden">
            <ArrowLeft /> Namespaces
          </Button>
          <h2 className="min-w-0 flex-1 truncate font-semibold" title={query.namespace}>
            {query.namespace === "" ? "All items" : query.namespace}
          </h2>
          {hasIndex ? <Segments label="Search by" options={WAYS} value={by} onValue={query.searchBy} /> : null}
        </div>
        <input
          type="search"
          data-filter
          aria-label={by === "meaning" ? "Search by meaning" : "Search items"}
          placeholder={by === "meaning" ? "What is it about?" : "Words, or member:value, age>30"}
          spellCheck={false}
          autoComplete="off"
          value={query.q}
          onChange={(event) => query.search(event.target.value)}
          className="h-8 w-full rounded-control border border-line-strong bg-background px-2.5 outline-offset-0 pointer-coarse:h-10"
        />
        <output className="min-h-4 text-small text-ink-2">{countText(items, by)}</output>
        {hasIndex ? null : (
          <p className="text-small text-ink-3">
            This deployment has no index, so there is no search by meaning.{" "}
            <code className="font-mono">store.index</code> in its configuration adds one.
          </p>
        )}
      </div>
      <div className="flex min-h-0 flex-1 flex-col">
        {failure === undefined ? null : (
          <div className="p-3">
            <LoadFailure what="The items" onRetry={() => void items.refresh()}>
              {failure}
            </LoadFailure>
          </div>
        )}
        {shown.length > 0 ? (
          <Suspense fallback={<Loading what="the items" className="m-4 h-32" />}>
            <ItemRows
              items={shown}
              depth={query.labels.length}
              current={query.item}
              onOpen={(item, isFinal) => query.openItem(item, isFinal ? "push" : "replace")}
              onEnd={items.more}
            />
          </Suspense>
        ) : isLoading ? (
          <div className="p-4">
            <Loading what="the items" className="h-40" />
          </div>
        ) : isComplete ? (
          <p className="p-4 text-ink-2">{query.q === "" ? "Nothing is stored here yet." : "No item matches."}</p>
        ) : null}
      </div>
    </section>
  );
}

function countText({ items, shown, hasWords, isComplete, isLoading, failure }: Items, by: "text" | "meaning"): string {
  if (failure !== undefined && items.length === 0) return "";
  if (hasWords) {
    const searched = `${counted(shown.length, "item")} of ${grouped(items.length)} searched`;
    if (isLoading) return `${searched} so far…`;
    return isComplete ? searched : `${searched}; only the first ${grouped(MOST_SEARCHED)} were searched`;
  }
  if (isLoading && items.length === 0) return "";
  const order = by === "meaning" ? ", nearest first" : "";
  return isComplete ? `${counted(items.length, "item")}${order}` : `The first ${counted(items.length, "item")}${order}`;
}
