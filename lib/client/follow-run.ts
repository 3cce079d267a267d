import { fetchEventSource } from "@microsoft/fetch-event-source";
import type * as z from "zod";
import { REASON_HEADER } from "../protocol/faults.ts";
import type { operations } from "../protocol/operations.ts";
import type { RunCreate } from "../protocol/runs.ts";
import type { ParsedEvent } from "../rules/threads/transcript.ts";
import { callerHeaders, NO_REDIRECTS } from "./caller.ts";
import { messageOf } from "./refusal.ts";

export type RunRequest = z.input<typeof RunCreate>;

/** How following a run came to its end. */
export type FollowEnd =
  | { readonly how: "ended" }
  /** By the signal. */
  | { readonly how: "stopped" }
  /** The server answered, but with an error; no run was started. */
  | { readonly how: "refused"; readonly status: number; readonly message: string; readonly reason?: string }
  /** The connection broke, before the first event or in between. */
  | { readonly how: "lost"; readonly before: boolean };

export interface RunListener {
  readonly signal: AbortSignal;
  readonly onEvent: (event: ParsedEvent) => void;
  /** The server has taken up the call; of a new run, with its id. */
  readonly onOpen?: (run: string | undefined) => void;
}

/** A run on a thread. */
export interface ThreadRun {
  readonly thread: string;
  readonly run: string;
}

// Written out rather than imported: the table of operations would bring every schema into the browser.
const PATH: (typeof operations)["streamRun"]["path"] = "/runs/stream";

/**
 * Starts a run, on a thread where one is given, and hands on its events. Never throws, and never asks twice: a second
 * request would be a second run.
 */
export function followRun(
  base: string,
  request: RunRequest,
  listening: RunListener,
  thread?: string,
): Promise<FollowEnd> {
  const path = thread === undefined ? PATH : `/threads/${encodeURIComponent(thread)}${PATH}`;
  return streamEvents(`${base}${path}`, listening, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
}

/** Hands on the events of a run that come after one of its events; all of them after -1. Never throws. */
export function joinRun(
  base: string,
  { thread, run }: ThreadRun,
  after: number,
  listening: RunListener,
): Promise<FollowEnd> {
  const path = `/threads/${encodeURIComponent(thread)}/runs/${encodeURIComponent(run)}/stream`;
  return streamEvents(`${base}${path}`, listening, {
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
  let heard = 0;
  try {
    await fetchEventSource(url, {
      ...NO_REDIRECTS,
      ...request,
      headers: { ...callerHeaders(url), ...request.headers },
      signal,
      // A hidden tab goes on listening: closing could cancel the run, and opening again would start another.
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
        const number = id === "" ? heard : Number(id);
        heard++;
        onEvent({ id: number, event, data: JSON.parse(data), at: performance.now() });
      },
      // Without a throw here the request would be sent again.
      onerror: (cause) => {
        throw cause;
      },
    });
  } catch {
    return refused ?? { how: "lost", before: heard === 0 };
  }
  return signal.aborted ? { how: "stopped" } : { how: "ended" };
}
