"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { createEventList, type EventList } from "#lib/client/event-list.ts";
import type { FollowEnd } from "#lib/client/follow-run.ts";
import { followToEnd } from "#lib/client/follow-to-end.ts";
import { counted, grouped } from "#lib/rules/text/counted.ts";
import { jsonPreview } from "#lib/rules/text/json-preview.ts";
import type { ParsedEvent } from "#lib/rules/threads/transcript.ts";
import { JsonBox } from "../_rooms/json-box.tsx";
import { Scroller } from "../_ui/scroller.tsx";

const ROW_PX = 32;
const PREVIEW = 300;
const REPORT_MS = 100;
const NONE: EventList = { events: [], dropped: 0 };

/** Lists the events of a run's stream: those that are stored, and the others as they come. */
export default function EventsPanel({ base, run, isOpen }: { base: string; run: string; isOpen: boolean }) {
  const [list, setList] = useState(NONE);
  const [end, setEnd] = useState<FollowEnd>();
  const [chosen, setChosen] = useState<ParsedEvent>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const events = createEventList(
      (newest) => !signal.aborted && setList(newest),
      (report) => setTimeout(report, REPORT_MS),
    );
    const listener = { signal, onEvent: events.add, onRun: () => undefined, onConnection: () => undefined };
    void followToEnd(base, undefined, { run }, listener).then((how) => !signal.aborted && setEnd(how));
    return () => controller.abort();
  }, [base, run]);
  const { events, dropped } = list;
  return (
    <div className="flex flex-col gap-3">
      <output className="text-ink-2">
        {events.length > 0 ? counted(events.length + dropped, "event") : ""}
        {dropped > 0 ? `, of which the newest ${grouped(events.length)} are shown` : ""}
        {stateWords(end, events.length, isOpen)}
      </output>
      {events.length > 0 ? <Events events={events} chosen={chosen} onChoose={setChosen} /> : null}
      {chosen ? <JsonBox value={chosen.data} label={`Event ${chosen.id}: ${chosen.event}`} /> : null}
    </div>
  );
}

function stateWords(end: FollowEnd | undefined, count: number, isOpen: boolean): string {
  if (!end) return isOpen ? (count > 0 ? ", more as they come" : "Waiting for events…") : "";
  if (end.how === "refused") return `The events could not be read: ${end.message}`;
  if (end.how === "lost") return count > 0 ? ". The connection was lost." : "The connection was lost.";
  if (count > 0) return "";
  return "The events of this run are no longer stored. They are kept for runs with stream_resumable, until two minutes after the end.";
}

function Events({
  events,
  chosen,
  onChoose,
}: {
  events: readonly ParsedEvent[];
  chosen: ParsedEvent | undefined;
  onChoose: (event: ParsedEvent) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes what it hands out
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => box.current?.parentElement ?? null,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  return (
    <Scroller label="Events" className="h-96 rounded-card border border-line">
      <div ref={box} className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const event = events[index];
          if (!event) return null;
          const isChosen = event.id === chosen?.id;
          return (
            <button
              key={event.id}
              type="button"
              aria-pressed={isChosen}
              onClick={() => onChoose(event)}
              style={{ transform: `translateY(${start}px)` }}
              className={`absolute top-0 left-0 flex h-8 w-full items-center gap-3 border-b border-line px-3 text-left font-mono text-code -outline-offset-2 ${isChosen ? "bg-accent-soft" : "hover:bg-surface"}`}
            >
              <span className="w-12 shrink-0 text-right text-ink-3">{event.id}</span>
              <span className="w-36 shrink-0 truncate font-medium max-sm:w-24" title={event.event}>
                {event.event}
              </span>
              <span className="min-w-0 truncate text-ink-2">{jsonPreview(event.data, PREVIEW)}</span>
            </button>
          );
        })}
      </div>
    </Scroller>
  );
}
