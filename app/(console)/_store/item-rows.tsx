"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import type { ItemId } from "#lib/client/store.ts";
import type { Item } from "#lib/protocol/store.ts";
import { jsonPreview } from "#lib/rules/text/json-preview.ts";
import { Moment } from "../_ui/moment.tsx";
import { isSameItem, Score } from "./item-words.tsx";

const ROW_PX = 56;
/** The next page is read when so many rows are left below. */
const AHEAD = 30;

const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => Math.min(count - 1, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  PageDown: (at, count) => Math.min(count - 1, at + 10),
  PageUp: (at) => Math.max(0, at - 10),
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** The items as a list in which arrow keys choose one. Only the visible rows are rendered. */
export default function ItemRows({
  items,
  depth,
  current,
  onOpen,
  onEnd,
}: {
  items: readonly Item[];
  /** The number of labels of the open namespace, which are not repeated. */
  depth: number;
  current: ItemId | undefined;
  /** `isFinal`: by a click or Enter, so that the item takes the focus. */
  onOpen: (item: Item, isFinal: boolean) => void;
  /** Called when the end of the list is near. */
  onEnd: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes what it hands out
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const visible = rows.getVirtualItems();
  const last = visible.at(-1)?.index ?? 0;
  const end = useRef(onEnd);
  useEffect(() => {
    end.current = onEnd;
  });
  useEffect(() => {
    if (last >= items.length - AHEAD) end.current();
  }, [last, items.length]);
  const at = items.findIndex((one) => isSameItem(current, one));
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = STEPS[event.key]?.(at, items.length);
    const item = items[to ?? at];
    if (!item || (to === undefined && event.key !== "Enter")) return;
    event.preventDefault();
    onOpen(item, to === undefined);
    if (to !== undefined) rows.scrollToIndex(to);
  };
  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto">
      <div
        // A `select` cannot have rows of two lines, of which only the visible ones are rendered.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="listbox"
        aria-label="Items"
        tabIndex={0}
        aria-activedescendant={at >= 0 && visible.some((one) => one.index === at) ? `${id}-${at}` : undefined}
        onKeyDown={onKeyDown}
        className="relative -outline-offset-2"
        style={{ height: rows.getTotalSize() }}
      >
        {visible.map(({ index, start }) => {
          const item = items[index];
          if (!item) return null;
          const below = item.namespace.slice(depth).join(".");
          return (
            // The keys are handled by the list.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={index}
              id={`${id}-${index}`}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
              role="option"
              aria-selected={index === at}
              aria-posinset={index + 1}
              aria-setsize={items.length}
              onClick={() => onOpen(item, true)}
              style={{ top: start, height: ROW_PX }}
              className={`absolute inset-x-0 flex cursor-pointer flex-col justify-center border-b border-line px-4 ${
                index === at ? "bg-accent-soft" : "hover:bg-surface"
              }`}
            >
              <span className="flex items-baseline gap-2">
                <span
                  className={`min-w-0 flex-1 truncate font-medium ${index === at ? "text-accent" : ""}`}
                  title={item.key}
                >
                  {item.key}
                </span>
                <span className="shrink-0 text-small text-ink-2">
                  {typeof item.score === "number" ? <Score score={item.score} /> : <Moment at={item.updated_at} />}
                </span>
              </span>
              <span className="flex min-w-0 gap-2 font-mono text-small text-ink-2">
                {below === "" ? null : <span className="max-w-1/2 shrink-0 truncate">{below}</span>}
                <span className="truncate">{jsonPreview(item.value, 120)}</span>
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
