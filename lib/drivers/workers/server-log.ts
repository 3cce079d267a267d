import { createLogQuota, type LogQuota } from "../../rules/workers/log-quota.ts";
import { grouped } from "../../rules/text/counted.ts";
import { LINE_CHARS } from "../../rules/text/output-lines.ts";
import { withColours } from "../../rules/text/terminal-text.ts";
import { isoTime } from "../../protocol/iso-time.ts";

export interface PrintedLine {
  at: string;
  from: "out" | "err" | "host";
  text: string;
}

/** The interval at which to check whether a flood of lines is over. */
const SETTLE_MS = 1_000;
/** The number of last lines of a flood that are logged after all, because they tell why a process ended. */
const KEPT_LINES = 20;

/** The lines that a worker prints, and those of the host about the worker. */
export interface ServerLog {
  print(from: PrintedLine["from"], text: string): void;
}

export interface ServerLogOptions {
  now: () => number;
  /** Receives every line that is not left out. */
  echo: (line: PrintedLine) => void;
  /** Called each time that lines were left out. */
  flooded?: () => void;
}

/** Creates a log. Lines beyond its quota are only counted, and one line reports their number. */
export function createServerLog({ now, echo, flooded }: ServerLogOptions): ServerLog {
  const partial = { out: "", err: "" };
  // The host has a quota of its own, so that a flood by the code hides none of its lines.
  const quotas = { code: createLogQuota(), host: createLogQuota() };
  let last: { from: PrintedLine["from"]; text: string }[] = [];
  let settling: NodeJS.Timeout | undefined;

  const write = (from: PrintedLine["from"], text: string): void => {
    echo({ at: isoTime(now()), from, text: withColours(text.slice(0, LINE_CHARS)) });
  };
  const writeGap = (lines: number): void => {
    if (lines === 0) return;
    const gone = lines - last.length;
    if (gone > 0) write("host", `(${grouped(gone)} lines left out: more were printed than a log takes)`);
    for (const line of last) write(line.from, line.text);
    last = [];
    flooded?.();
  };
  const keepLast = (from: PrintedLine["from"], texts: readonly string[]): void => {
    last = [...last, ...texts.map((text) => ({ from, text: text.slice(0, LINE_CHARS) }))].slice(-KEPT_LINES);
  };
  /** Returns false if the line was left out. */
  const add = (from: PrintedLine["from"], line: string, quota: LogQuota): boolean => {
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
        // The rest of the text arrived at the same moment, so it is left out as well.
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

/** Returns the last lines of a text that ends with a line break. */
function lastLines(text: string): string[] {
  if (text === "") return [];
  let begin = text.length;
  for (let n = 0; n <= KEPT_LINES && begin >= 0; n++) begin = text.lastIndexOf("\n", begin - 1);
  return text
    .slice(begin + 1, -1)
    .split("\n")
    .slice(-KEPT_LINES);
}
