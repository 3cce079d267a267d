import { createLogQuota, type LogQuota } from "../../rules/workers/log-quota.ts";
import { LINE_CHARS } from "../../rules/text/output-lines.ts";
import { withColours } from "../../rules/text/terminal-text.ts";
import { isoTime } from "../../protocol/iso-time.ts";

export interface LogLine {
  at: string;
  from: "out" | "err" | "host";
  text: string;
}

/** After a flood it is looked this often whether it is over. */
const SETTLE_MS = 1_000;
/** Of what was left out, so many of the last lines are told after all: why a process ended stands there. */
const KEPT_LINES = 20;

/** What a worker printed, and what the host has to say about it, line by line. */
export interface ServerLog {
  print(from: LogLine["from"], text: string): void;
}

export interface ServerLogOptions {
  now: () => number;
  /** Gets every line that is kept, for the log and for the terminal of whoever runs the server. */
  echo: (line: LogLine) => void;
  /** Is called each time that lines were left out. */
  flooded?: () => void;
}

/** Lines beyond what anybody reads are counted, and one line says how many there were. */
export function createServerLog({ now, echo, flooded }: ServerLogOptions): ServerLog {
  const partial = { out: "", err: "" };
  // What the host says is not lost in what the code prints.
  const quotas = { code: createLogQuota(), host: createLogQuota() };
  let last: { from: LogLine["from"]; text: string }[] = [];
  let settling: NodeJS.Timeout | undefined;

  const write = (from: LogLine["from"], text: string): void => {
    echo({ at: isoTime(now()), from, text: withColours(text.slice(0, LINE_CHARS)) });
  };
  const writeGap = (lines: number): void => {
    if (lines === 0) return;
    const gone = lines - last.length;
    if (gone > 0) write("host", `(${gone.toLocaleString("en")} lines left out: more were printed than a log takes)`);
    for (const line of last) write(line.from, line.text);
    last = [];
    flooded?.();
  };
  const keepLast = (from: LogLine["from"], texts: readonly string[]): void => {
    last = [...last, ...texts.map((text) => ({ from, text: text.slice(0, LINE_CHARS) }))].slice(-KEPT_LINES);
  };
  /** False when it was left out. */
  const add = (from: LogLine["from"], line: string, quota: LogQuota): boolean => {
    const gone = quota.admit(Math.min(line.length, LINE_CHARS), now());
    if (gone === undefined) return false;
    writeGap(gone);
    write(from, line.endsWith("\r") ? line.slice(0, -1) : line);
    return true;
  };
  const settleLater = (quota: LogQuota): void => {
    settling ??= setTimeout(() => {
      settling = undefined;
      const gone = quota.settle(now());
      if (gone === undefined) settleLater(quota);
      else writeGap(gone);
    }, SETTLE_MS).unref();
  };

  return {
    print(from, text) {
      if (from === "host") {
        for (const line of text.split("\n")) add(from, line, quotas.host);
        return;
      }
      let begin = 0;
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", begin)) {
        const line = partial[from] + text.slice(begin, end);
        partial[from] = "";
        begin = end + 1;
        if (add(from, line, quotas.code)) continue;
        // The rest of this piece comes at the same moment.
        const rest = text.slice(begin, text.lastIndexOf("\n") + 1);
        quotas.code.leaveOut(countBreaks(rest));
        keepLast(from, [line, ...lastLines(rest)]);
        begin += rest.length;
        settleLater(quotas.code);
        break;
      }
      partial[from] = (partial[from] + text.slice(begin)).slice(0, LINE_CHARS);
    },
  };
}

function countBreaks(text: string): number {
  let breaks = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === 10) breaks++;
  return breaks;
}

/** Of lines that all have ended. */
function lastLines(text: string): string[] {
  if (text === "") return [];
  let begin = text.length;
  for (let n = 0; n <= KEPT_LINES && begin >= 0; n++) begin = text.lastIndexOf("\n", begin - 1);
  return text
    .slice(begin + 1, -1)
    .split("\n")
    .slice(-KEPT_LINES);
}
