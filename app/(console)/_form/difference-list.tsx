import { useMemo } from "react";
import { jsonPreview } from "#lib/rules/text/json-preview.ts";
import type { StateChange, StateDifference } from "#lib/rules/studio/state-difference.ts";
import { pathText } from "#lib/rules/studio/short-text.ts";
import { linesShown, lineDifference } from "#lib/rules/text/line-difference.ts";
import { counted } from "#lib/rules/text/counted.ts";
import { CHANGE_SIGNS } from "./change-signs.ts";

const SHOWN = 50;
const LONGEST = 2000;

/** The difference of two values, with what stood there before and what stands there now. */
export function DifferenceList({
  difference,
  none,
}: {
  difference: StateDifference;
  /** Says that they are equal. */ none: string;
}) {
  if (difference.length === 0) return <p className="text-ink-2">{none}</p>;
  return (
    <ul className="flex flex-col gap-2">
      {difference.slice(0, SHOWN).map((change) => {
        const { sign, word, ink } = CHANGE_SIGNS[change.kind];
        const path = pathText(change.path);
        return (
          <li
            key={`${change.kind} ${path} ${"index" in change ? change.index : ""}`}
            className="min-w-0 rounded-control border border-line p-2.5"
          >
            <div className="flex gap-2 font-mono text-code">
              <span className={ink} aria-hidden>
                {sign}
              </span>
              <span className="min-w-0 flex-1 wrap-anywhere">{path}</span>
              <span className={`text-small ${ink}`}>{word}</span>
            </div>
            {isOfLines(change) ? (
              <Lines before={change.before} after={change.after} />
            ) : (
              <Sides before={beforeOf(change)} after={afterOf(change)} />
            )}
          </li>
        );
      })}
      {difference.length > SHOWN ? (
        <li className="text-ink-2">and {counted(difference.length - SHOWN, "more change")}</li>
      ) : null}
    </ul>
  );
}

interface TextChange {
  readonly before: string;
  readonly after: string;
}

/** Returns whether a text of several lines has changed, such as a prompt. */
function isOfLines(change: StateChange): change is Extract<StateChange, { kind: "changed" }> & TextChange {
  if (change.kind !== "changed") return false;
  const { before, after } = change;
  return typeof before === "string" && typeof after === "string" && (before.includes("\n") || after.includes("\n"));
}

const LINE_LOOKS = {
  kept: { sign: " ", word: "", look: "text-ink-2" },
  removed: { sign: "−", word: "Removed: ", look: "bg-bad-soft" },
  added: { sign: "+", word: "Added: ", look: "bg-ok-soft" },
} as const;

/** Shows a text with its changed lines, between a few of those that stayed. */
function Lines({ before, after }: TextChange) {
  const parts = useMemo(() => linesShown(lineDifference(before, after)), [before, after]);
  return (
    <div className="mt-1.5 max-h-96 overflow-auto rounded-key">
      {parts.map(({ place, line, left }) =>
        line === undefined ? (
          <div key={place} className="px-2 py-1 text-small text-ink-3">
            {counted(left, "unchanged line")}
          </div>
        ) : (
          <div key={place} className={`flex min-h-6 gap-2 px-2 py-0.5 ${LINE_LOOKS[line.kind].look}`}>
            <span aria-hidden className="w-2 shrink-0 select-none">
              {LINE_LOOKS[line.kind].sign}
            </span>
            <span className="min-w-0 wrap-anywhere whitespace-pre-wrap">
              <span className="sr-only">{LINE_LOOKS[line.kind].word}</span>
              {line.text.slice(0, LONGEST)}
            </span>
          </div>
        ),
      )}
    </div>
  );
}

function Sides({ before, after }: { before: { value: unknown } | undefined; after: { value: unknown } | undefined }) {
  const side = (sign: string, word: string, one: { value: unknown }, look: string) => (
    <div className={`mt-1.5 flex max-h-48 gap-2 overflow-auto rounded-key px-2 py-1 ${look}`}>
      <span className="sr-only">{word}</span>
      <span aria-hidden className="shrink-0 text-ink-2 select-none">
        {sign}
      </span>
      <span className="min-w-0 wrap-anywhere whitespace-pre-wrap">{textOf(one.value)}</span>
    </div>
  );
  return (
    <>
      {before ? side("−", "Before:", before, "bg-bad-soft") : null}
      {after ? side("+", "After:", after, "bg-ok-soft") : null}
    </>
  );
}

/** Texts are shown as they are, because prompts have lines. */
const textOf = (value: unknown): string =>
  typeof value === "string" ? value.slice(0, LONGEST) : jsonPreview(value, LONGEST);

function beforeOf(change: StateChange): { value: unknown } | undefined {
  if (change.kind === "replaced") return listed(change.removed);
  return "before" in change ? { value: change.before } : undefined;
}

function afterOf(change: StateChange): { value: unknown } | undefined {
  if (change.kind === "replaced") return listed(change.added);
  if (change.kind === "appended") return listed(change.items);
  return "after" in change ? { value: change.after } : undefined;
}

function listed(items: readonly unknown[]): { value: unknown } | undefined {
  if (items.length === 0) return undefined;
  return { value: items.length === 1 ? items[0] : items };
}
