"use client";

import { type KeyboardEvent, type ReactNode, useId } from "react";
import { Card } from "./card.tsx";

interface Tab<T extends string> {
  readonly value: T;
  readonly title: string;
}

/** Returns the tab to which each key leads: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

const LINE = {
  list: "flex gap-1 overflow-x-auto border-b border-line",
  tab: "-mb-px inline-flex h-10 items-center rounded-t-control border-b-2 border-transparent px-3 font-medium text-ink-2 -outline-offset-2 transition-colors hover:text-ink aria-selected:border-accent aria-selected:text-accent",
};
const PILLS = {
  list: "flex gap-1",
  tab: "inline-flex h-6 items-center rounded-full px-2.5 text-small font-medium text-ink-2 transition-colors hover:bg-well hover:text-ink aria-selected:bg-accent-soft aria-selected:text-accent pointer-coarse:h-9",
};

const PLAIN = { root: "", list: "mb-4", panel: "rounded-control outline-offset-4" };

/** Tabs with one panel. Arrow keys select a tab, and Tab moves the focus into the panel. */
export function Tabs<T extends string>({
  label,
  tabs,
  value,
  onValue,
  classes = PLAIN,
  children,
  card,
}: {
  label: string;
  tabs: readonly Tab<T>[];
  value: T;
  onValue: (value: T) => void;
  /** The classes of tabs that are not in a card. */
  classes?: { readonly root: string; readonly list: string; readonly panel: string };
  /** The content of the selected tab. */
  children: ReactNode;
  /** Puts the panel into a card with this title, and `below` under it. The tabs are pills beside the title. */
  card?: { title: string; below: ReactNode };
}) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>, at: number): void => {
    const to = tabs[STEPS[event.key]?.(at, tabs.length) ?? -1];
    if (!to) return;
    event.preventDefault();
    onValue(to.value);
    document.getElementById(`${id}-${to.value}`)?.focus();
  };
  const focusable = { tabIndex: 0 };
  const styles = card ? PILLS : LINE;
  const list = (
    <div role="tablist" aria-label={label} className={card ? styles.list : `${styles.list} ${classes.list}`}>
      {tabs.map((tab, at) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          id={`${id}-${tab.value}`}
          aria-selected={tab.value === value}
          aria-controls={tab.value === value ? `${id}-panel` : undefined}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => onValue(tab.value)}
          onKeyDown={(event) => onKeyDown(event, at)}
          className={styles.tab}
        >
          {tab.title}
        </button>
      ))}
    </div>
  );
  const panel = (
    <div
      {...focusable}
      role="tabpanel"
      id={`${id}-panel`}
      aria-labelledby={`${id}-${value}`}
      className={card ? "rounded-control outline-offset-4" : classes.panel}
    >
      {children}
    </div>
  );
  if (card)
    return (
      <Card title={card.title} aside={list}>
        <div className="px-4 pt-1 pb-4">
          {panel}
          {card.below}
        </div>
      </Card>
    );
  return (
    <div className={classes.root}>
      {list}
      {panel}
    </div>
  );
}
