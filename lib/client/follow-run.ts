import { fetchEventSource } from "@microsoft/fetch-event-source";
import type * as z from "zod";
import type { operations } from "../protocol/operations.ts";
import type { RunCreate } from "../protocol/runs.ts";
import type { HeardEvent } from "../rules/transcript.ts";
import { messageOf } from "./refusal.ts";

export type RunRequest = z.input<typeof RunCreate>;

/** How following a run came to its end. */
export type FollowEnd =
  | { readonly how: "ended" }
  /** By the signal. */
  | { readonly how: "stopped" }
  /** The server answered, but with an error; no run was started. */
  | { readonly how: "refused"; readonly status: number; readonly message: string }
  /** The connection broke, before the first event or in between. */
  | { readonly how: "lost"; readonly before: boolean };

export interface Listening {
  readonly signal: AbortSignal;
  readonly onEvent: (event: HeardEvent) => void;
}

// Written out rather than imported: the table of operations would bring every schema into the browser.
const PATH: (typeof operations)["streamRun"]["path"] = "/runs/stream";

type Refused = Extract<FollowEnd, { how: "refused" }>;

/** Starts a run and hands on its events. Never throws, and never asks twice: a second request would be a second run. */
export async function followRun(base: string, request: RunRequest, { signal, onEvent }: Listening): Promise<FollowEnd> {
  if (signal.aborted) return { how: "stopped" };
  let refused: Refused | undefined;
  let heard = 0;
  try {
    await fetchEventSource(`${base}${PATH}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
      signal,
      // A hidden tab goes on listening: closing would cancel the run, and opening again would start another.
      openWhenHidden: true,
      onopen: async (response) => {
        if (response.ok) return;
        refused = { how: "refused", status: response.status, message: await messageOf(response) };
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
