"use client";

import type { Virtualizer } from "@tanstack/react-virtual";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { areShortcutsOn } from "../_shell/shortcuts-setting.ts";
import type { Rows } from "./use-page-list.ts";
import type { Selection } from "./use-selection.ts";

interface RowKeysOptions<Row extends object> {
  rows: Rows<Row>;
  keyOf: (row: Row) => string;
  virtual: Virtualizer<HTMLDivElement, Element>;
  box: RefObject<HTMLDivElement | null>;
  hrefOf: ((row: Row) => string) | undefined;
  opened: string | undefined;
  onOpen: ((key: string | undefined) => void) | undefined;
  selection: Selection<Row> | undefined;
  activeIndex: number;
  setActiveKey: (key: string) => void;
}

/** Rows that Page Up and Page Down move by. */
const LEAP = 10;

/** Returns the row to which a key leads from the row `at`. */
function stepOf(key: string, at: number, last: number): number | undefined {
  if (key === "Home") return 0;
  if (key === "End") return last;
  const by = { ArrowDown: 1, ArrowUp: -1, PageDown: LEAP, PageUp: -LEAP }[key] ?? letterStep(key);
  return by === undefined ? undefined : Math.min(last, Math.max(0, at + by));
}

function letterStep(key: string): number | undefined {
  if (!areShortcutsOn()) return undefined;
  return key === "j" ? 1 : key === "k" ? -1 : undefined;
}

function focusIn(table: HTMLElement | null, index: number): void {
  table?.querySelector<HTMLElement>(`[data-row="${index}"]`)?.focus({ preventScroll: true });
}

/** Moves among the rows of a table, opens and selects them. */
export function useRowKeys<Row extends object>(options: RowKeysOptions<Row>) {
  const { rows, keyOf, virtual, box, hrefOf, opened, onOpen, selection, activeIndex, setActiveKey } = options;
  const router = useRouter();
  /** The row at which a range of selected rows begins. */
  const anchor = useRef<number>(undefined);

  function focusRow(index: number): void {
    const row = rows.list.row(index);
    if (!row) return;
    setActiveKey(keyOf(row));
    // The focus moves at once, because the next key goes to the focused row.
    focusIn(box.current, index);
    virtual.scrollToIndex(index);
    // A row that was not in the document comes with the next frame.
    requestAnimationFrame(() => focusIn(box.current, index));
  }

  function selectTo(index: number, row: Row, isRange: boolean): void {
    if (!selection) return;
    if (isRange && anchor.current !== undefined) {
      const [from, to] = [Math.min(anchor.current, index), Math.max(anchor.current, index)];
      selection.add(
        Array.from({ length: to - from + 1 }, (_, step) => rows.list.row(from + step)).filter(
          (one) => one !== undefined,
        ),
      );
    } else {
      anchor.current = index;
      selection.toggle(row);
    }
  }

  function onKeyDown(event: KeyboardEvent, index: number, row: Row): void {
    // Controls inside of a row have their own keys.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = stepOf(event.key, index, rows.count - 1);
    if (step !== undefined) {
      focusRow(step);
      if (event.shiftKey && selection) {
        anchor.current ??= index;
        const target = rows.list.row(step);
        if (target) selectTo(step, target, true);
      }
    } else if (event.key === "Enter") {
      if (hrefOf) router.push(hrefOf(row));
      else onOpen?.(keyOf(row) === opened ? undefined : keyOf(row));
    } else if (event.key === " ") selectTo(index, row, event.shiftKey);
    else if (event.key === "Escape" && selection && selection.rows.size > 0) selection.clear();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  usePageLetters(() => focusRow(Math.max(0, activeIndex)));

  return {
    onKeyDown,
    onCheck: (event: MouseEvent, index: number, row: Row): void => selectTo(index, row, event.shiftKey),
  };
}

/** Calls back for `j` and `k`, which lead into the table from everywhere on the page. */
function usePageLetters(onLetter: () => void): void {
  const onPageKey = useEffectEvent((event: globalThis.KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isInControl(event.target)) return;
    if (letterStep(event.key) === undefined) return;
    onLetter();
    event.preventDefault();
  });
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => onPageKey(event);
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/** Returns whether the target is a control, or in a dialog, where letters are typed or mean something else. */
function isInControl(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest("input, textarea, select, [role=dialog], [role=row]") !== null)
  );
}
