"use client";

import { type KeyboardEvent, type ReactNode, useId } from "react";

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

/** Tabs with one panel. Arrow keys select a tab, and Tab moves the focus into the panel. */
export function Tabs<T extends string>({
  label,
  tabs,
  value,
  onValue,
  children,
}: {
  label: string;
  tabs: readonly Tab<T>[];
  value: T;
  onValue: (value: T) => void;
  /** The content of the selected tab. */
  children: ReactNode;
}) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>, at: number): void => {
    const to = tabs[STEPS[event.key]?.(at, tabs.length) ?? -1];
    if (!to) return;
    event.preventDefault();
    onValue(to.value);
    document.getElementById(`${id}-${to.value}`)?.focus();
  };
  const panel = { tabIndex: 0 };
  return (
    <div>
      <div role="tablist" aria-label={label} className="mb-4 flex gap-1 border-b border-line">
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
            className="-mb-px inline-flex h-10 items-center rounded-t-control border-b-2 border-transparent px-3 font-medium text-ink-2 -outline-offset-2 transition-colors hover:text-ink aria-selected:border-accent aria-selected:text-accent"
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div
        {...panel}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${value}`}
        className="rounded-control outline-offset-4"
      >
        {children}
      </div>
    </div>
  );
}
