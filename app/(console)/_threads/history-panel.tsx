"use client";

import { ChevronRight } from "lucide-react";
import { useCallback, useId, useState } from "react";
import type { RoomApi } from "#lib/client/rooms.ts";
import { isObject } from "#lib/protocol/json.ts";
import type { ThreadState } from "#lib/protocol/threads.ts";
import { LoadedState } from "../_rooms/loaded-state.tsx";
import { Button } from "../_ui/button.tsx";
import { Moment } from "../_ui/moment.tsx";
import { LoadFailure } from "../_ui/notice.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { useRead } from "../_ui/use-read.ts";
import { useRefreshOn } from "../_ui/use-refresh-on.ts";

const PAGE = 50;
const PARTS = ["checkpoint", "metadata", "created_at", "next"];

interface Pages {
  readonly states: readonly ThreadState[];
  readonly hasMore: boolean;
}

/**
 * Lists the checkpoints of a thread, newest first, again when `version` changes. The state of one is loaded when it is
 * opened.
 */
export function HistoryPanel({ api, thread, version }: { api: RoomApi; thread: string; version: string }) {
  const [wanted, setWanted] = useState(PAGE);
  const read = useCallback(async (): Promise<Pages> => {
    const states = await api.threads.history(thread, { limit: wanted + 1, select: PARTS });
    return { states: states.slice(0, wanted), hasMore: states.length > wanted };
  }, [api, thread, wanted]);
  const { value, failure, refresh } = useRead<Pages | undefined>(read, undefined);
  useRefreshOn(version, refresh);
  if (failure !== undefined) {
    return (
      <LoadFailure what="The history" onRetry={() => void refresh()}>
        {failure}
      </LoadFailure>
    );
  }
  if (!value) return <Loading what="the history" className="h-60" />;
  if (value.states.length === 0) return <p className="text-ink-2">This thread has no checkpoints yet.</p>;
  return (
    <>
      <ol aria-label="Checkpoints" className="rounded-card border border-line">
        {value.states.map((state) => (
          <CheckpointRow key={idOf(state)} api={api} thread={thread} state={state} />
        ))}
      </ol>
      {value.hasMore ? (
        <Button className="mt-3" onClick={() => setWanted(wanted + PAGE)}>
          Load earlier checkpoints
        </Button>
      ) : null}
    </>
  );
}

function CheckpointRow({ api, thread, state }: { api: RoomApi; thread: string; state: ThreadState }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const checkpoint = idOf(state);
  const metadata = isObject(state.metadata) ? state.metadata : {};
  const next = state.next.join(", ");
  return (
    <li className="border-b border-line last:border-b-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-14 w-full items-center gap-3 rounded-control px-4 py-2 text-left -outline-offset-2 hover:bg-surface"
      >
        <ChevronRight
          aria-hidden
          className={`size-4 shrink-0 text-ink-3 transition-transform ${isOpen ? "rotate-90" : ""}`}
        />
        <span className="w-16 shrink-0 font-medium">Step {numberOr(metadata.step)}</span>
        <span className="min-w-0 flex-1">
          <span className="block truncate" title={next}>
            {next === "" ? "Nothing comes next" : `Next: ${next}`}
          </span>
          <span className="block truncate font-mono text-code text-ink-3">{checkpoint}</span>
        </span>
        <span className="w-16 shrink-0 text-small text-ink-2 max-sm:hidden">
          {typeof metadata.source === "string" ? metadata.source : ""}
        </span>
        <span className="shrink-0 text-small text-ink-2">
          {state.created_at ? <Moment at={state.created_at} /> : null}
        </span>
      </button>
      <div id={id} hidden={!isOpen} className="px-4 pb-4">
        {isOpen ? (
          <LoadedState
            api={api}
            thread={thread}
            checkpoint={checkpoint}
            label="State at this checkpoint"
            empty="No values."
          />
        ) : null}
      </div>
    </li>
  );
}

const numberOr = (step: unknown): number | string => (typeof step === "number" ? step : "?");

function idOf({ checkpoint }: ThreadState): string {
  return isObject(checkpoint) && typeof checkpoint.checkpoint_id === "string" ? checkpoint.checkpoint_id : "";
}
