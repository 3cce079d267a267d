"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import type { NamespacePage } from "#lib/client/store.ts";
import {
  keysAbove,
  namespaceKey,
  type NamespaceRow,
  namespaceTree,
  visibleRows,
} from "#lib/rules/store/namespace-tree.ts";
import { grouped } from "#lib/rules/text/counted.ts";

const ROW_PX = 32;

/** The namespaces as a tree: https://www.w3.org/WAI/ARIA/apg/patterns/treeview/ */
export function NamespaceTree({
  page,
  current,
  onOpen,
}: {
  page: NamespacePage;
  current: readonly string[];
  onOpen: (path: readonly string[]) => void;
}) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(keysAbove(current)));
  const key = namespaceKey(current);
  const [last, setLast] = useState(key);
  if (last !== key) {
    setLast(key);
    setOpen(new Set([...open, ...keysAbove(current)]));
  }
  const root = useMemo(() => namespaceTree(page.namespaces, page.counts), [page]);
  const rows = useMemo(() => visibleRows(root, open), [root, open]);
  const [focused, setFocused] = useState(key);
  const at = Math.max(
    0,
    rows.findIndex((row) => namespaceKey(row.node.path) === focused),
  );
  const box = useRef<HTMLDivElement>(null);
  /** The row that takes the focus once it is rendered. */
  const wanted = useRef<string>(undefined);
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes what it hands out
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 20,
  });
  const toggle = (path: readonly string[], isOpen: boolean): void => {
    const next = new Set(open);
    if (isOpen) next.add(namespaceKey(path));
    else next.delete(namespaceKey(path));
    setOpen(next);
  };
  const focus = (to: number): void => {
    const row = rows[to];
    if (!row) return;
    wanted.current = namespaceKey(row.node.path);
    setFocused(wanted.current);
    lines.scrollToIndex(to);
  };
  useEffect(() => {
    if (wanted.current === undefined || wanted.current !== focused) return;
    wanted.current = undefined;
    box.current?.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]')?.focus();
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[at];
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = targetOf(event.key, rows, at);
    if (to !== undefined) focus(to);
    else if (event.key === "ArrowRight" && !row.isOpen && row.node.children.length > 0) toggle(row.node.path, true);
    else if (event.key === "ArrowLeft" && row.isOpen && row.level > 1) toggle(row.node.path, false);
    else if (event.key === "Enter" || event.key === " ") onOpen(row.node.path);
    else return;
    event.preventDefault();
  };
  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
      <div
        role="tree"
        aria-label="Namespaces"
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className="relative outline-none"
        style={{ height: lines.getTotalSize() }}
      >
        {lines.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          return row ? (
            <TreeRow
              key={namespaceKey(row.node.path)}
              row={row}
              top={start}
              isCurrent={namespaceKey(row.node.path) === key}
              isFocusable={index === at}
              onOpen={() => {
                setFocused(namespaceKey(row.node.path));
                onOpen(row.node.path);
              }}
              onToggle={() => toggle(row.node.path, !row.isOpen)}
            />
          ) : null;
        })}
      </div>
    </div>
  );
}

/** Returns the row to which a key moves the focus. */
function targetOf(key: string, rows: readonly NamespaceRow[], at: number): number | undefined {
  const row = rows[at];
  if (key === "ArrowDown") return Math.min(rows.length - 1, at + 1);
  if (key === "ArrowUp") return Math.max(0, at - 1);
  if (key === "Home") return 0;
  if (key === "End") return rows.length - 1;
  if (key === "ArrowRight" && row?.isOpen === true && row.node.children.length > 0) return at + 1;
  if (key === "ArrowLeft" && row && row.level > 1 && (!row.isOpen || row.node.children.length === 0)) {
    return rows.findLastIndex((one, place) => place < at && one.level < row.level);
  }
  return undefined;
}

function TreeRow({
  row: { node, level, isOpen, place, of },
  top,
  isCurrent,
  isFocusable,
  onOpen,
  onToggle,
}: {
  row: NamespaceRow;
  top: number;
  isCurrent: boolean;
  isFocusable: boolean;
  onOpen: () => void;
  onToggle: () => void;
}) {
  const label = node.path.at(-1) ?? "All namespaces";
  const hasChildren = node.children.length > 0;
  const canFold = hasChildren && level > 1;
  return (
    // The keys are handled by the tree.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="treeitem"
      aria-level={level}
      aria-posinset={place}
      aria-setsize={of}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-selected={isCurrent}
      tabIndex={isFocusable ? 0 : -1}
      onClick={onOpen}
      title={node.path.join(".")}
      style={{ top, height: ROW_PX, paddingLeft: `${Math.max(0, level - 2) * 0.875}rem` }}
      className={`absolute inset-x-0 flex cursor-pointer items-center gap-1 rounded-control pr-2 -outline-offset-2 ${
        isCurrent ? "bg-accent-soft text-accent" : "hover:bg-well"
      }`}
    >
      {canFold ? (
        <span
          aria-hidden
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
          className="inline-flex size-7 shrink-0 items-center justify-center rounded-key text-ink-3 hover:text-ink"
        >
          <ChevronRight className={`size-3.5 transition-transform ${isOpen ? "rotate-90" : ""}`} />
        </span>
      ) : (
        <span className={level > 1 ? "w-7 shrink-0" : "w-2 shrink-0"} />
      )}
      <span className={`min-w-0 flex-1 truncate ${level === 1 ? "font-medium" : "font-mono text-code"}`}>{label}</span>
      {node.count === undefined ? null : (
        <span className={`shrink-0 text-small ${isCurrent ? "" : "text-ink-3"}`}>{grouped(node.count)}</span>
      )}
    </div>
  );
}
