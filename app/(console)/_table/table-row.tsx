"use client";

import type { Row as TableRowModel } from "@tanstack/react-table";
import { ChevronRight } from "lucide-react";
import type { FocusEventHandler, KeyboardEventHandler, MouseEvent, ReactNode } from "react";
import type { features } from "./columns.ts";
import { ROLE } from "./grid-roles.ts";
import { ROW } from "./table-skeleton.tsx";
import { PageLink } from "../_ui/page-link.tsx";

/** The content of a row's main cell. */
export interface RowLabel {
  readonly title: string;
  /** The second line. */
  readonly note: ReactNode;
  /** The line below it on phones, where most columns are hidden. */
  readonly narrow: ReactNode;
}

export interface RowProps<Row extends object> {
  index: number;
  row: TableRowModel<typeof features, Row>;
  label: RowLabel;
  /** The page that the row opens; undefined if it opens in place. */
  href: string | undefined;
  /** The content below the row while it is open. */
  detail: ReactNode;
  isOpen: boolean;
  isTabStop: boolean;
  isSelectable: boolean;
  renderCell: (row: TableRowModel<typeof features, Row>) => ReactNode;
  onFocus: FocusEventHandler;
  onKeyDown: KeyboardEventHandler;
  onToggle: () => void;
  onCheck: (event: MouseEvent) => void;
}

/** A row whose link or button covers all of it. Other controls lie above that. */
export function TableRow<Row extends object>(props: RowProps<Row>) {
  const { index, row, label, isOpen, isTabStop, isSelectable, detail } = props;
  const isSelected = row.getIsSelected();
  const { onFocus, onKeyDown } = props;
  const focusable = { ...ROLE.row, tabIndex: isTabStop ? 0 : -1, onFocus, onKeyDown };
  // The faintest text colour has too little contrast on the background of a selected row.
  const fill = isSelected ? "bg-accent-soft [--ink-3:var(--ink-2)]" : "hover:bg-surface";
  return (
    <>
      <div
        {...focusable}
        data-row={index}
        aria-rowindex={index + 2}
        aria-selected={isSelectable ? isSelected : undefined}
        className={`${ROW} border-b border-line transition-colors -outline-offset-2 ${fill}`}
      >
        {isSelectable ? (
          <div {...ROLE.cell} className="relative z-1 -m-2 shrink-0 p-2">
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={`Select ${label.title}`}
              checked={isSelected}
              readOnly
              // The focus stays on the row, whose keys move on from there.
              onMouseDown={(event) => event.preventDefault()}
              onClick={props.onCheck}
              className="block size-4 accent-accent pointer-coarse:size-5"
            />
          </div>
        ) : null}
        <div {...ROLE.cell} className="flex min-w-0 flex-1 items-center gap-2">
          <MainCell {...props} />
        </div>
        {props.renderCell(row)}
      </div>
      {isOpen ? (
        <div {...ROLE.row} className="border-b border-line bg-surface">
          <div {...ROLE.cell} className="px-4 py-4">
            {detail}
          </div>
        </div>
      ) : null}
    </>
  );
}

function MainCell<Row extends object>({ label: { title, note, narrow }, href, isOpen, onToggle }: RowProps<Row>) {
  const whole = "block max-w-full truncate text-left font-medium after:absolute after:inset-0";
  return (
    <>
      {href === undefined ? (
        <ChevronRight
          aria-hidden
          className={`size-4 shrink-0 text-ink-3 transition-transform ${isOpen ? "rotate-90" : ""}`}
        />
      ) : null}
      <div className="min-w-0 flex-1">
        {href === undefined ? (
          <button type="button" tabIndex={-1} aria-expanded={isOpen} onClick={onToggle} title={title} className={whole}>
            {title}
          </button>
        ) : (
          <PageLink href={href} prefetch={false} tabIndex={-1} title={title} className={whole}>
            {title}
          </PageLink>
        )}
        <div className="truncate text-small text-ink-3">{note}</div>
        <div className="mt-0.5 flex min-w-0 items-center gap-2 text-small text-ink-2 sm:hidden">{narrow}</div>
      </div>
    </>
  );
}
