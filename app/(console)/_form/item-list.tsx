"use client";

import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { withItem, withMoved } from "#lib/rules/forms/schema-form.ts";
import { IconButton } from "../_ui/button.tsx";

interface ItemListProps {
  /** The word for one item, which the names of buttons contain. */
  readonly what: string;
  readonly items: readonly unknown[];
  readonly onChange: (items: readonly unknown[]) => void;
  /** The controls that stand before the buttons which move and remove the item. */
  readonly renderHead?: (item: unknown, at: number, onItem: (next: unknown) => void) => ReactNode;
  readonly renderBody: (item: unknown, at: number, onItem: (next: unknown) => void) => ReactNode;
}

/** More items than these are shown on request, because each has several controls. */
const SHOWN = 50;

/** A list whose items are moved by buttons, or by Alt with an arrow key, and removed. */
export function ItemList({ what, items, onChange, renderHead, renderBody }: ItemListProps) {
  const { keys, permute } = useItemKeys(items.length);
  const [shown, setShown] = useState(SHOWN);
  const move = (from: number, to: number): void => {
    if (to < 0 || to >= items.length) return;
    permute((before) => withMoved(before, from, to) as number[]);
    onChange(withMoved(items, from, to));
  };
  const remove = (at: number): void => {
    permute((before) => before.toSpliced(at, 1));
    onChange(items.toSpliced(at, 1));
  };
  const onKeyDown = (event: KeyboardEvent, at: number): void => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    event.stopPropagation();
    move(at, event.key === "ArrowUp" ? at - 1 : at + 1);
  };
  return (
    <>
      <ol className="flex flex-col gap-2 empty:hidden">
        {items.slice(0, shown).map((item, at) => {
          const onItem = (next: unknown): void =>
            next === undefined ? remove(at) : onChange(withItem(items, at, next));
          const name = `${what} ${at + 1}`;
          return (
            <li key={keys[at]} aria-label={name} className="rounded-control border border-line bg-surface p-2.5">
              {/* The keys reach this element from the controls inside. */}
              {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
              <div onKeyDown={(event) => onKeyDown(event, at)}>
                <div className="mb-1.5 flex items-center gap-1">
                  <span className="flex min-w-0 flex-1 items-center gap-2 text-small text-ink-2">
                    {renderHead ? renderHead(item, at, onItem) : name}
                  </span>
                  <IconButton
                    size="small"
                    label={`Move ${name} up`}
                    disabled={at === 0}
                    onClick={() => move(at, at - 1)}
                  >
                    <ArrowUp />
                  </IconButton>
                  <IconButton
                    size="small"
                    label={`Move ${name} down`}
                    disabled={at === items.length - 1}
                    onClick={() => move(at, at + 1)}
                  >
                    <ArrowDown />
                  </IconButton>
                  <IconButton size="small" label={`Remove ${name}`} onClick={() => remove(at)}>
                    <Trash2 />
                  </IconButton>
                </div>
                {renderBody(item, at, onItem)}
              </div>
            </li>
          );
        })}
      </ol>
      {items.length > shown ? (
        <button
          type="button"
          onClick={() => setShown(shown + SHOWN)}
          className="mt-2 text-small text-accent underline underline-offset-2"
        >
          Show more: {items.length - shown} of {items.length} are not shown
        </button>
      ) : null}
    </>
  );
}

/** Gives each item a key that stays with it when it moves, so that it keeps the focus and what was typed. */
function useItemKeys(length: number) {
  const [state, setState] = useState(() => ({ keys: Array.from({ length }, (_, at) => at), next: length }));
  let { keys } = state;
  if (keys.length !== length) {
    const missing = Array.from({ length: Math.max(0, length - keys.length) }, (_, at) => state.next + at);
    keys = [...keys.slice(0, length), ...missing];
    setState({ keys, next: state.next + missing.length });
  }
  return {
    keys,
    permute: (change: (keys: readonly number[]) => number[]) =>
      setState((before) => ({ ...before, keys: change(before.keys) })),
  };
}
