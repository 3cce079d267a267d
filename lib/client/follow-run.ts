import { fetchEventSource } from "@microsoft/fetch-event-source";
import type * as z from "zod";
import { REASON_HEADER } from "../protocol/faults.ts";
import type { operations } from "../protocol/operations.ts";
import type { RunClient, RunCreate } from "../protocol/runs.ts";
import { CLIENT_HEADER } from "../protocol/session.ts";
import type { ParsedEvent } from "../rules/threads/transcript.ts";
import { callerHeaders, NO_REDIRECTS } from "./caller.ts";
import { messageOf } from "./refusal.ts";

export type RunRequest = z.input<typeof RunCreate>;

/** The reason why following a run ended. */
export type FollowEnd =
  | { readonly how: "ended" }
  /** The signal aborted. */
  | { readonly how: "stopped" }
  /** The server answered with an error, and no run was started. */
  | { readonly how: "refused"; readonly status: number; readonly message: string; readonly reason?: string }
  /**
   * The connection broke. `before` is set if it broke before the first event. `isUnsent` is set if the request was never
   * made, else it may have arrived.
   */
  | { readonly how: "lost"; readonly before: boolean; readonly isUnsent?: true };

export interface RunListener {
  readonly signal: AbortSignal;
  readonly onEvent: (event: ParsedEvent) => void;
  /** Called when the server has accepted the request, with the id of a new run. */
  readonly onOpen?: (run: string | undefined) => void;
}

// The path is not imported, because the table of operations would bring every schema into the browser.
const PATH: (typeof operations)["streamRun"]["path"] = "/runs/stream";

/**
 * Starts a run, on a thread if one is given, and passes on its events. Never throws, and never sends the request twice,
 * because a second request would be a second run.
 */
export function followRun(
  base: string,
  request: RunRequest,
  listener: RunListener,
  thread?: string,
  client?: RunClient,
): Promise<FollowEnd> {
  const path = thread === undefined ? PATH : `/threads/${encodeURIComponent(thread)}${PATH}`;
  return streamEvents(`${base}${path}`, listener, {
    method: "POST",
    headers: { "content-type": "application/json", ...(client && { [CLIENT_HEADER]: client }) },
    body: JSON.stringify(request),
  });
}

/**
 * Passes on the events of a run after the event with the id `after`; -1 for all. Without a thread, the run may be on any, or
 * on none. Never throws.
 */
export function joinRun(
  base: string,
  { thread, run }: { thread?: string | undefined; run: string },
  after: number,
  listener: RunListener,
): Promise<FollowEnd> {
  const path = `${thread === undefined ? "" : `/threads/${encodeURIComponent(thread)}`}/runs/${encodeURIComponent(run)}/stream`;
  return streamEvents(`${base}${path}`, listener, {
    method: "GET",
    headers: { "last-event-id": `${after}` },
  });
}

type RefusedEnd = Extract<FollowEnd, { how: "refused" }>;

interface Request {
  method: string;
  headers: Record<string, string>;
  body?: string;
}

async function streamEvents(
  url: string,
  { signal, onEvent, onOpen }: RunListener,
  request: Request,
): Promise<FollowEnd> {
  if (signal.aborted) return { how: "stopped" };
  let refused: RefusedEnd | undefined;
  let received = 0;
  try {
    await fetchEventSource(url, {
      ...NO_REDIRECTS,
      ...request,
      headers: { ...callerHeaders(url), ...request.headers },
      signal,
      // A hidden tab keeps its connection: closing it could cancel the run, and opening it again would start another.
      openWhenHidden: true,
      onopen: async (response) => {
        if (response.ok) {
          onOpen?.(/\/runs\/([^/]+)$/.exec(response.headers.get("content-location") ?? "")?.[1]);
          return;
        }
        const reason = response.headers.get(REASON_HEADER) ?? undefined;
        refused = { how: "refused", status: response.status, message: await messageOf(response), reason };
        throw new Error(refused.message);
      },
      onmessage: ({ id, event, data }) => {
        const number = id === "" ? received : Number(id);
        received++;
        onEvent({ id: number, event, data: JSON.parse(data), at: performance.now(), size: data.length });
      },
      // The library sends the request again unless this throws.
      onerror: (cause) => {
        throw cause;
      },
    });
  } catch {
    return refused ?? { how: "lost", before: received === 0 };
  }
  return signal.aborted ? { how: "stopped" } : { how: "ended" };
}
