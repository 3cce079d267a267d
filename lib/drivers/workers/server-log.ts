export interface LogLine {
  at: string;
  from: "out" | "err" | "host";
  text: string;
}

const LINE_CHARS = 4_000;

/** What a worker printed, and what the host has to say about it, line by line. */
export interface ServerLog {
  print(from: LogLine["from"], text: string): void;
}

/** `echo` gets every line, for the terminal of whoever runs the server. */
export function createServerLog(now: () => number, echo: (line: LogLine) => void): ServerLog {
  const partial: Record<LogLine["from"], string> = { out: "", err: "", host: "" };

  const add = (from: LogLine["from"], text: string): void => {
    echo({ at: new Date(now()).toISOString(), from, text: text.slice(0, LINE_CHARS) });
  };

  return {
    print(from, text) {
      const lines = (partial[from] + text).split("\n");
      // The host speaks in whole lines.
      partial[from] = from === "host" ? "" : (lines.pop() ?? "").slice(0, LINE_CHARS);
      for (const line of lines) add(from, line);
    },
  };
}
