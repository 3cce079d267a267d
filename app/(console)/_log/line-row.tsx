import type { LogLine } from "@/lib/protocol/revisions.ts";
import { stepWords } from "@/lib/rules/revision-words.ts";
import { Ansi } from "./ansi.tsx";

/** Tools of a build tell their progress on the same stream as their errors. */
const BAD = /\b(?:err(?:or)?!?|fatal|fail(?:ed|ure)?|not found|cannot|can't)\b/i;

function inkOf({ stream, step, text }: LogLine): string {
  if (stream === "us") return "text-ink-2";
  return stream === "err" && (step === undefined || BAD.test(text)) ? "text-bad" : "text-ink";
}

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
  return (
    <div className={`flex gap-3 px-4 py-0.5 ${chosen ? "bg-accent-soft" : ""}`}>
      <a
        href={`#L${id}`}
        title={`${new Date(at).toLocaleString()}, line ${id + 1}: link to it`}
        onClick={(event) => {
          event.preventDefault();
          onChoose(id);
        }}
        className="-my-0.5 shrink-0 py-0.5 text-ink-3 hover:text-ink max-sm:hidden"
      >
        {timeOf(at)}
      </a>
      {step ? <span className="w-16 shrink-0 truncate text-ink-3 max-sm:hidden">{stepWords[step].title}</span> : null}
      <span
        className={`min-w-0 ${wrap ? "break-words whitespace-pre-wrap [overflow-wrap:anywhere]" : "whitespace-pre"} ${inkOf(line)}`}
      >
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
