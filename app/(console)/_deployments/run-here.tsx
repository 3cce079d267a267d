"use client";

import { Play, Square } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { FollowEnd } from "#lib/client/follow-run.ts";
import { duration } from "#lib/client/measures.ts";
import { quickRun } from "#lib/client/quick-start.ts";
import { counted } from "#lib/rules/text/counted.ts";
import { Button } from "../_ui/button.tsx";
import { Scroller } from "../_ui/scroller.tsx";

interface Line {
  id: number;
  event: string;
  text: string;
  ms: number;
}

const MOST_LINES = 400;

/** Sends the request of the curl command from this page, and shows its events as they arrive. */
export function RunHere({ base, assistant, input }: { base: string; assistant: string; input: unknown }) {
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [end, setEnd] = useState<FollowEnd | "running">();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const run = async (): Promise<void> => {
    const controller = new AbortController();
    abort.current = controller;
    setLines([]);
    setEnd("running");
    const started = performance.now();
    const request = { ...quickRun({ assistant, input }), on_disconnect: "cancel" as const };
    const { followRun } = await import("#lib/client/follow-run.ts");
    const ended = await followRun(base, request, {
      signal: controller.signal,
      onEvent: ({ id, event, data }) => {
        const line = { id, event, text: JSON.stringify(data), ms: performance.now() - started };
        setLines((before) => [...before, line].slice(-MOST_LINES));
      },
    });
    setEnd(ended);
  };

  const isRunning = end === "running";
  return (
    <div className="mt-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {isRunning ? (
          <Button onClick={() => abort.current?.abort()}>
            <Square /> Stop
          </Button>
        ) : (
          <Button onClick={() => void run()}>
            <Play /> Run it here
          </Button>
        )}
        <output className="text-small text-ink-2">
          {end === undefined ? "Streams the events into this page" : isRunning ? "Running…" : endText(end, lines)}
        </output>
      </div>
      {end === undefined ? null : <Events lines={lines} />}
    </div>
  );
}

function Events({ lines }: { lines: readonly Line[] }) {
  return (
    <Scroller label="Events of the run" className="mt-3 max-h-72 rounded-control bg-well p-3.5">
      <ol className="flex min-h-9 flex-col gap-1 font-mono text-code">
        {lines.map(({ id, event, text, ms }) => (
          <li key={id} className="flex flex-wrap gap-x-3 sm:flex-nowrap">
            <span className="w-14 shrink-0 text-ink-3 sm:text-right">{duration(ms)}</span>
            <span className="w-18 shrink-0 truncate text-accent">{event}</span>
            <span className="min-w-0 break-all max-sm:w-full">{text}</span>
          </li>
        ))}
      </ol>
    </Scroller>
  );
}

function endText(end: FollowEnd, lines: readonly Line[]): string {
  switch (end.how) {
    case "ended":
      return `${counted(lines.length, "event")} in ${duration(lines.at(-1)?.ms ?? 0)}`;
    case "stopped":
      return "Stopped";
    case "refused":
      return `${end.status}: ${end.message}`;
    case "lost":
      return "Connection lost. Check that the server is running, then try again.";
  }
}
