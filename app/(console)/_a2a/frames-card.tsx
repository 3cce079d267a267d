"use client";

import { ChevronRight } from "lucide-react";
import { useState } from "react";
import type { Frame } from "#lib/client/a2a.ts";
import { duration } from "#lib/client/measures.ts";
import { readFrame, type ResponseError } from "#lib/rules/a2a/read-response.ts";
import { counted } from "#lib/rules/text/counted.ts";
import { Button } from "../_ui/button.tsx";
import { Card } from "../_ui/card.tsx";
import { Code } from "../_ui/code.tsx";
import { CopyButton } from "../_ui/copy-button.tsx";
import { Notice } from "../_ui/notice.tsx";
import { Scroller } from "../_ui/scroller.tsx";
import { FAILURE_HINTS } from "./failure-hints.ts";
import { type CurrentExchange, MOST_FRAMES } from "./use-exchange.ts";

/** The number of frames that start expanded. Later ones start as one line each. */
const OPEN_FRAMES = 3;

/** Shows the request as it was sent, and every frame of the response as it arrived. */
export function FramesCard({ exchange: { request, frames, end } }: { exchange: CurrentExchange }) {
  const [all, setAll] = useState<{ open: boolean; of: unknown }>();
  if (!request) {
    return (
      <Card title="Frames">
        <p className="px-4 pt-1 pb-4 text-ink-2">
          The request and every frame of the response appear here as they are sent, each with its time.
        </p>
      </Card>
    );
  }
  const chosen = all?.of === request ? all.open : undefined;
  const last = frames.at(-1);
  const failure = last && readFrame(last.value).failure;
  const dropped = (frames[0]?.number ?? 0) > 0 ? frames[0]?.number : undefined;
  return (
    <Card
      title="Frames"
      aside={
        frames.length > 1 ? (
          <div className="-mr-2 flex">
            <Button variant="quiet" onClick={() => setAll({ open: true, of: request })}>
              Expand all
            </Button>
            <Button variant="quiet" onClick={() => setAll({ open: false, of: request })}>
              Collapse all
            </Button>
          </div>
        ) : undefined
      }
    >
      <div className="flex flex-col gap-2 px-4 pt-1 pb-4">
        <output className="text-ink-2">{statusText(end, frames)}</output>
        {failure ? <FailureNotice failure={failure} /> : null}
        <EndNotice end={end} />
        <JsonDetails
          key={`request ${chosen}`}
          title="Request"
          words={request.body.method}
          value={request.body}
          open={chosen ?? false}
        />
        {dropped === undefined ? null : (
          <p className="text-small text-ink-2">
            {counted(dropped, "earlier frame")} dropped: only the newest {MOST_FRAMES} are kept.
          </p>
        )}
        {frames.map((frame) => (
          <FrameRow
            key={`${request.body.id} ${frame.number} ${chosen}`}
            frame={frame}
            open={chosen ?? frame.number < OPEN_FRAMES}
          />
        ))}
      </div>
    </Card>
  );
}

function FrameRow({ frame: { ms, text, value }, open }: { frame: Frame; open: boolean }) {
  const { kind, words } = readFrame(value);
  return <JsonDetails time={duration(ms)} title={kind} words={words} value={value ?? text} open={open} />;
}

function JsonDetails({
  time,
  title,
  words,
  value,
  open,
}: {
  time?: string;
  title: string;
  words: string;
  value: unknown;
  open: boolean;
}) {
  const [isOpen, setOpen] = useState(open);
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return (
    <details
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group rounded-control bg-well"
    >
      <summary className="flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 text-small">
        <ChevronRight aria-hidden className="size-3.5 shrink-0 text-ink-3 transition-transform group-open:rotate-90" />
        <span className="w-12 shrink-0 text-right text-ink-2">{time ?? "sent"}</span>
        <span className={`shrink-0 font-medium ${title === "error" ? "text-bad" : "text-accent"}`}>{title}</span>
        <span className="min-w-0 flex-1 truncate text-ink-2">{words}</span>
      </summary>
      {isOpen ? (
        <div className="relative">
          <div className="absolute top-0 right-2 z-1">
            <CopyButton text={text} label={`Copy ${title}`} variant="icon" />
          </div>
          <Scroller label={`${title} as JSON`} className="max-h-96 rounded-control px-3.5 pb-3">
            <Code code={text} />
          </Scroller>
        </div>
      ) : null}
    </details>
  );
}

function statusText(end: CurrentExchange["end"], frames: readonly Frame[]): string {
  const seen = counted((frames.at(-1)?.number ?? -1) + 1, "frame");
  if (end === undefined) return "";
  if (end === "running") return frames.length === 0 ? "Sent. Waiting for a response…" : `${seen} so far…`;
  switch (end.how) {
    case "ended":
      return `${seen} in ${duration(end.ms)}, HTTP ${end.status}`;
    case "stopped":
      return `Stopped listening after ${seen}. The task continues.`;
    case "refused":
      return `HTTP ${end.status}`;
    case "lost":
      return `The connection was lost after ${seen}.`;
  }
}

function FailureNotice({ failure: { code, message, reason, fields } }: { failure: ResponseError }) {
  return (
    <Notice alert tone="bad" title={`${message || "Error"} (${code}${reason === undefined ? "" : `, ${reason}`})`}>
      {fields.map((field) => (
        <div key={field} className="font-mono text-code">
          {field}
        </div>
      ))}
      {FAILURE_HINTS[code]}
    </Notice>
  );
}

function EndNotice({ end }: { end: CurrentExchange["end"] }) {
  if (end === undefined || end === "running" || (end.how !== "refused" && end.how !== "lost")) return null;
  if (end.how === "refused") {
    return (
      <Notice alert tone="bad" title={`The response is not A2A (HTTP ${end.status})`}>
        {end.message}
      </Notice>
    );
  }
  return (
    <Notice alert tone="bad" title="The server could not be reached, or the connection was lost">
      Check that the server is running. A task that has started is kept: subscribe to it afterwards.
    </Notice>
  );
}
