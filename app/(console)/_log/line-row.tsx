import type { LogLine } from "#lib/protocol/revisions.ts";
import { type LineTone, toneOf } from "#lib/rules/revisions/build-lines.ts";
import { stepWords } from "#lib/rules/revisions/words.ts";
import { Ansi } from "./ansi.tsx";

/** The bar at the edge of a line marks errors and warnings for users who cannot see colours. */
const STYLES: Record<LineTone, { ink: string; mark: string }> = {
  error: { ink: "text-bad", mark: "border-bad bg-bad-soft" },
  warning: { ink: "text-waiting", mark: "border-waiting" },
  ours: { ink: "text-ink-2", mark: "border-transparent" },
  plain: { ink: "text-ink", mark: "border-transparent" },
};

export function LineRow({
  line,
  wrap,
  chosen,
  onChoose,
}: {
  line: LogLine;
  wrap: boolean;
  chosen: boolean;
  onChoose: (id: number) => void;
}) {
  const { id, at, step, text } = line;
  const tone = toneOf(line);
  const { ink, mark } = STYLES[tone];
  // The faintest text colour has too little contrast on the background of an error.
  const faint = tone === "error" || chosen ? "text-ink-2" : "text-ink-3";
  return (
    <div className={`flex gap-3 border-l-2 px-4 py-0.5 ${mark} ${chosen ? "bg-accent-soft!" : ""}`}>
      <a
        href={`#L${id}`}
        title={`${new Date(at).toLocaleString()}, line ${id + 1}: link to it`}
        onClick={(event) => {
          event.preventDefault();
          onChoose(id);
        }}
        className={`-my-0.5 shrink-0 py-0.5 hover:text-ink max-sm:hidden ${faint}`}
      >
        {timeOf(at)}
      </a>
      {step ? <span className={`w-16 shrink-0 truncate max-sm:hidden ${faint}`}>{stepWords[step].title}</span> : null}
      <span
        className={`min-w-0 ${wrap ? "break-words whitespace-pre-wrap [overflow-wrap:anywhere]" : "whitespace-pre"} ${ink}`}
      >
        {tone === "error" ? <span className="sr-only">Error: </span> : null}
        <Ansi text={text} />
      </span>
    </div>
  );
}

/** `14:02:07.112` */
function timeOf(at: string): string {
  const date = new Date(at);
  const two = (number: number): string => String(number).padStart(2, "0");
  const ms = String(date.getMilliseconds()).padStart(3, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${ms}`;
}
