"use client";

import { type RowSelectionState, useTable } from "@tanstack/react-table";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef, useState } from "react";
import { features } from "./columns.ts";
import { ROLE } from "./grid-roles.ts";
import { TableRow } from "./table-row.tsx";
import { RowSkeleton } from "./table-skeleton.tsx";
import type { Rows } from "./use-page-list.ts";
import type { Selection } from "./use-selection.ts";
import type { VirtualTableProps } from "./table-props.ts";
import { useRowKeys } from "./use-row-keys.ts";
import { useNarrow } from "./use-narrow.ts";

const ROW_PX = 56;
/** The height on phones, where a row has three lines. */
const NARROW_ROW_PX = 76;
/** Rows that are shown as placeholders below the known ones while more follow. */
const PLACEHOLDERS = 12;

/** The table itself, as it is once its code and the size of the page are known. */
export default function MountedTable<Row extends object>(props: VirtualTableProps<Row>) {
  const { label, rows, keyOf, title, labelOf, columns, hrefOf, detailOf, opened, onOpen, selection } = props;
  const { list, count, hasMore, isLoaded } = rows;
  const box = useRef<HTMLDivElement>(null);
  const rowPx = useNarrow() ? NARROW_ROW_PX : ROW_PX;
  const [activeKey, setActiveKey] = useState<string>();
  const activeIndex = activeKey === undefined ? -1 : list.indexOf(activeKey);
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes what it hands out
  const virtual = useVirtualizer({
    count: count + (hasMore ? PLACEHOLDERS : 0),
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => index,
    overscan: 8,
    // The focused row stays in the document, so that the focus is not lost.
    rangeExtractor: (range: Range) => {
      const shown = defaultRangeExtractor(range);
      return activeIndex < 0 || shown.includes(activeIndex) ? shown : [...shown, activeIndex].toSorted((a, b) => a - b);
    },
  });
  useEffect(() => virtual.measure(), [virtual, rowPx]);
  const items = virtual.getVirtualItems();
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {};
  useEffect(() => list.show(startIndex, endIndex), [list, startIndex, endIndex, count]);

  const shown = items.flatMap(({ index }) => {
    const row = list.row(index);
    return row ? [{ index, row }] : [];
  });
  const rowSelection = useMemo<RowSelectionState>(
    () => Object.fromEntries([...(selection?.rows.keys() ?? [])].map((key) => [key, true])),
    [selection?.rows],
  );
  const table = useTable({
    features,
    columns,
    data: shown.map(({ row }) => row),
    getRowId: keyOf,
    state: { rowSelection },
  });
  const models = new Map(table.getRowModel().rows.map((model, place) => [shown[place]?.index, model]));
  const keys = useRowKeys({ rows, keyOf, virtual, box, hrefOf, opened, onOpen, selection, activeIndex, setActiveKey });
  const tabStop = models.has(activeIndex) ? activeIndex : shown[0]?.index;
  const seen = new Set<string>();
  return (
    <div
      ref={box}
      role="grid"
      aria-label={label}
      aria-rowcount={hasMore ? -1 : count + 1}
      aria-busy={!isLoaded}
      aria-multiselectable={selection ? true : undefined}
      className="min-h-0 flex-1 overflow-auto overscroll-contain rounded-card border border-line bg-background"
    >
      <div {...ROLE.group} className="sticky top-0 z-2 bg-background">
        <div
          {...ROLE.row}
          aria-rowindex={1}
          className="flex h-9.5 items-center gap-4 border-b border-line px-4 text-small text-ink-2"
        >
          {selection ? <SelectAll rows={rows} selection={selection} keyOf={keyOf} /> : null}
          <div {...ROLE.head} className="min-w-0 flex-1">
            {title}
          </div>
          {table.getHeaderGroups().map((group) =>
            group.headers.map((header) => {
              const { meta } = header.column.columnDef;
              return (
                <div {...ROLE.head} key={header.id} className={meta?.cell}>
                  <span className={meta?.isUntitled ? "sr-only" : ""}>
                    <table.FlexRender header={header} />
                  </span>
                </div>
              );
            }),
          )}
        </div>
      </div>
      <div {...ROLE.group} className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const model = models.get(index);
          const key = model && uniqueKey(model.id, seen);
          return (
            <div
              key={key ?? index}
              role="presentation"
              data-index={index}
              ref={virtual.measureElement}
              className="absolute top-0 left-0 w-full"
              style={{ transform: `translateY(${start}px)` }}
            >
              {model ? (
                <TableRow
                  index={index}
                  row={model}
                  label={labelOf(model.original)}
                  href={hrefOf?.(model.original)}
                  isOpen={model.id === opened}
                  detail={model.id === opened ? detailOf?.(model.original) : undefined}
                  isTabStop={index === tabStop}
                  isSelectable={selection !== undefined}
                  onFocus={() => setActiveKey(model.id)}
                  onKeyDown={(event: KeyboardEvent) => keys.onKeyDown(event, index, model.original)}
                  onToggle={() => onOpen?.(model.id === opened ? undefined : model.id)}
                  onCheck={(event: MouseEvent) => keys.onCheck(event, index, model.original)}
                  renderCell={(row) =>
                    row.getAllCells().map((cell) => (
                      <div {...ROLE.cell} key={cell.id} className={cell.column.columnDef.meta?.cell}>
                        <table.FlexRender cell={cell} />
                      </div>
                    ))
                  }
                />
              ) : (
                <RowSkeleton />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** A row that moved from one page to the next may be in both for a moment. */
function uniqueKey(id: string, seen: Set<string>): string {
  const key = seen.has(id) ? `${id} again` : id;
  seen.add(id);
  return key;
}

function SelectAll<Row extends object>({
  rows,
  selection,
  keyOf,
}: {
  rows: Rows<Row>;
  selection: Selection<Row>;
  keyOf: (row: Row) => string;
}) {
  const loaded = rows.list.rows();
  const isAll = loaded.length > 0 && loaded.every((row) => selection.rows.has(keyOf(row)));
  return (
    <div {...ROLE.head} className="-m-2 shrink-0 p-2">
      <input
        type="checkbox"
        aria-label="Select all loaded rows"
        checked={isAll}
        disabled={loaded.length === 0}
        ref={(box) => {
          if (box) box.indeterminate = !isAll && selection.rows.size > 0;
        }}
        onChange={() => (isAll ? selection.clear() : selection.add(loaded))}
        className="block size-4 accent-accent pointer-coarse:size-5"
      />
    </div>
  );
}
