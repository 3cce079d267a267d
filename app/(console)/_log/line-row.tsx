import type { LogLine } from "@/lib/protocol/revisions.ts";
import { type LineTone, toneOf } from "@/lib/rules/revisions/build-lines.ts";
import { stepWords } from "@/lib/rules/revisions/words.ts";
import { Ansi } from "./ansi.tsx";

const INK: Record<LineTone, string> = {
  error: "text-bad",
  warning: "text-waiting",
  ours: "text-ink-2",
  plain: "text-ink",
};

/** The bar at the edge of a line marks errors and warnings for users who cannot see colours. */
const MARK: Record<LineTone, string> = {
  error: "border-l-2 border-bad bg-bad-soft",
  warning: "border-l-2 border-waiting",
  ours: "border-l-2 border-transparent",
  plain: "border-l-2 border-transparent",
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
  // The faintest text colour has too little contrast on the background of an error.
  const faint = tone === "error" || chosen ? "text-ink-2" : "text-ink-3";
  return (
    <div className={`flex gap-3 px-4 py-0.5 ${MARK[tone]} ${chosen ? "bg-accent-soft!" : ""}`}>
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
        className={`min-w-0 ${wrap ? "break-words whitespace-pre-wrap [overflow-wrap:anywhere]" : "whitespace-pre"} ${INK[tone]}`}
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
