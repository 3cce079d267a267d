import { changeText } from "#lib/rules/studio/short-text.ts";
import type { StateDifference } from "#lib/rules/studio/state-difference.ts";
import { counted } from "#lib/rules/text/counted.ts";
import { CHANGE_SIGNS } from "../_form/change-signs.ts";

/** Lists what changed in a state, a line for each change. `most`: how many are shown. */
export function ChangeList({ difference, most = 8 }: { difference: StateDifference; most?: number }) {
  if (difference.length === 0) return null;
  const left = difference.length - most;
  return (
    <ul className="flex flex-col font-mono text-code">
      {difference.slice(0, most).map((change) => {
        const { path, before, after } = changeText(change);
        const { sign, word, ink } = CHANGE_SIGNS[change.kind];
        return (
          <li key={`${change.kind} ${path}`} className="flex gap-2">
            <span aria-hidden className={`w-2 shrink-0 ${ink}`}>
              {sign}
            </span>
            <span className="min-w-0 wrap-anywhere">
              <span className="sr-only">{word} </span>
              <bdi>{path}</bdi>
              {before === undefined || after !== undefined ? null : <Value className="text-ink-3" text={before} />}
              {after === undefined ? null : <Value className="text-ink-2" text={after} />}
            </span>
          </li>
        );
      })}
      {left > 0 ? <li className="pl-4 text-ink-3">and {counted(left, "more change")}</li> : null}
    </ul>
  );
}

function Value({ text, className }: { text: string; className: string }) {
  return (
    <span className={className}>
      : <bdi>{text}</bdi>
    </span>
  );
}
