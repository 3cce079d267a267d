"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronRight } from "lucide-react";
import { useRef, useState } from "react";
import type { ParsedEvent } from "#lib/rules/threads/transcript.ts";
import { isObject } from "#lib/protocol/json.ts";
import { counted } from "#lib/rules/text/counted.ts";
import { JsonView } from "../_form/json-view.tsx";
import { useStudio } from "./studio-context.ts";

/** The events of the newest run as they arrived. */
export default function RawTab() {
  const { state } = useStudio();
  const { events, dropped } = state.events;
  const scroller = useRef<HTMLElement>(null);
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 36,
    getItemKey: (index) => events[index]?.id ?? index,
    overscan: 10,
  });
  if (events.length === 0) {
    return (
      <p className="p-4 text-ink-2">
        The events of the newest run appear here as they arrive. A run has none to show if it was started without
        storing them.
      </p>
    );
  }
  return (
    <section ref={scroller} aria-label="Events" className="min-h-0 flex-1 overflow-y-auto">
      {dropped > 0 ? (
        <p className="border-b border-line px-4 py-2 text-small text-ink-3">
          {counted(dropped, "earlier event")} dropped: only the newest are kept.
        </p>
      ) : null}
      <div className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const event = events[index];
          return event ? (
            <div
              key={key}
              data-index={index}
              ref={rows.measureElement}
              className="absolute inset-x-0 border-b border-line"
              style={{ transform: `translateY(${start}px)` }}
            >
              <EventRow event={event} />
            </div>
          ) : null;
        })}
      </div>
    </section>
  );
}

function EventRow({ event }: { event: ParsedEvent }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-9 w-full items-center gap-2.5 px-4 text-left -outline-offset-2 hover:bg-well"
      >
        <ChevronRight className={`size-3.5 shrink-0 text-ink-3 transition-transform ${isOpen ? "rotate-90" : ""}`} />
        <span className="w-9 shrink-0 text-right font-mono text-code text-ink-3">{event.id}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-code">{event.event}</span>
        <span className="shrink-0 truncate text-small text-ink-3">{hintOf(event.data)}</span>
      </button>
      {isOpen ? (
        <div className="px-4 pb-3">
          <JsonView label={`Event ${event.id}`} value={event.data} />
        </div>
      ) : null}
    </>
  );
}

/** A word of the data that tells events of one name apart. */
function hintOf(data: unknown): string {
  if (!isObject(data)) return "";
  const payload = isObject(data.payload) ? data.payload : {};
  return [data.type, payload.name].filter((one) => typeof one === "string").join(" ");
}
