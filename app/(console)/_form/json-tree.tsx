"use client";

import { JsonView } from "react-json-view-lite";

// The icon hangs in the margin, so that what folds is aligned with what does not.
const ICON =
  "-ml-4 inline-block w-4 cursor-pointer rounded-key text-ink-3 select-none hover:text-ink pointer-coarse:-ml-6 pointer-coarse:w-6";

// A text that reverses its direction keeps the signs around it in their places.
const ISOLATED = "[unicode-bidi:isolate]";

const STYLE = {
  container: "font-mono text-code wrap-anywhere whitespace-pre-wrap pr-8",
  basicChildStyle: "m-0 py-px pl-4 pointer-coarse:pl-6",
  childFieldsContainer: "m-0 p-0 list-none",
  label: `mr-1.5 text-accent ${ISOLATED}`,
  clickableLabel: `mr-1.5 cursor-pointer text-accent ${ISOLATED}`,
  nullValue: "text-ink-3",
  undefinedValue: "text-ink-3",
  numberValue: "text-running",
  booleanValue: "text-running",
  stringValue: `text-ok break-all ${ISOLATED}`,
  otherValue: "text-ink-2",
  punctuation: "text-ink-3",
  expandIcon: `${ICON} after:content-['▸']`,
  collapseIcon: `${ICON} after:content-['▾']`,
  collapsedContent: "cursor-pointer text-ink-3 after:content-['…']",
  ariaLables: { expandJson: "Unfold", collapseJson: "Fold" },
  stringifyStringValues: true,
};

/** The tree of a value, in a part of its own. Arrow keys move between the places that fold. */
export default function JsonTree({ label, value, isOpen }: { label: string; value: unknown; isOpen: boolean }) {
  if (typeof value !== "object" || value === null) {
    return (
      <pre aria-label={label} className="pr-8 font-mono text-code wrap-anywhere whitespace-pre-wrap">
        {JSON.stringify(value) ?? "Nothing"}
      </pre>
    );
  }
  return (
    <JsonView
      data={value}
      aria-label={label}
      style={STYLE}
      clickToExpandNode
      shouldExpandNode={(level) => level === 0 || isOpen}
    />
  );
}
