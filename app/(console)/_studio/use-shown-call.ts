"use client";

import { useState } from "react";
import { withMessage } from "#lib/client/example-input.ts";
import type { RunCall } from "#lib/client/quick-start.ts";
import { runApi } from "#lib/client/runs.ts";
import type { StudioApi } from "#lib/client/studio/api.ts";
import { type RunOptions, runRequest } from "#lib/client/studio/request.ts";
import { isObject } from "#lib/protocol/json.ts";
import type { Run } from "#lib/protocol/runs.ts";
import { isContinuation } from "#lib/rules/studio/turns.ts";
import { retryRequest } from "../_runs/retry.ts";
import { useStudio } from "./studio-context.ts";
import { useShown } from "./use-shown.ts";

/** A turn of more runs is taken over from its later ones on. */
const MOST_RUNS = 20;

/**
 * Returns the call that starts the shown run with its input; the call for what is typed if no run is shown. It is read when
 * the component appears, because browsers let a page copy only right after a click.
 */
export function useShownCall(): () => Promise<RunCall> {
  const { api: url, base, keyed, query, input, options, studio, state, composer, assistants } = useStudio();
  const { head, isNewest } = useShown();
  const shown = isNewest ? (state.runId ?? runIdOf(head?.metadata)) : runIdOf(head?.metadata);
  const { thread } = query;
  const read = async (): Promise<RunCall["request"]> => {
    if (thread !== null && state.thread === "here" && shown !== undefined) {
      const request = requestOf(await runApi(base).get(await firstOfTurn(studio.api, thread, shown)), options);
      // A graph's own assistant is called by the name of the graph.
      const { id = request.assistant_id } =
        assistants.find(({ assistantId }) => assistantId === request.assistant_id) ?? {};
      return { ...request, assistant_id: id };
    }
    const text = composer.current?.text() ?? "";
    return runRequest(
      { input: text === "" ? input : withMessage(input, text) },
      options,
      query.checkpoint ?? undefined,
    );
  };
  const [request] = useState(() => {
    const reading = read();
    // A failure is shown to those who ask for the call.
    reading.catch(() => undefined);
    return reading;
  });
  return async () => ({ url, keyed, thread: state.thread === "gone" ? null : thread, request: await request });
}

function runIdOf(metadata: unknown): string | undefined {
  return isObject(metadata) && typeof metadata.run_id === "string" ? metadata.run_id : undefined;
}

/** Returns the run that began the turn of this one: those that went on after a pause have no input of their own. */
async function firstOfTurn(api: StudioApi, thread: string, run: string): Promise<string> {
  const runs = await api.newestRuns(thread, MOST_RUNS);
  const at = runs.findIndex((one) => one.run_id === run);
  const first = at === -1 ? undefined : runs.slice(at).find((one) => !isContinuation(one.kwargs));
  return first?.run_id ?? run;
}

/** Returns the request of a stored run without the members that say nothing. */
function requestOf(run: Run, { assistant }: RunOptions): RunCall["request"] {
  const { config, ...others } = retryRequest(run);
  const request = { ...others, config: isObject(config) ? said(config) : config };
  return { assistant_id: assistant, ...said(request) };
}

function said(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isUnsaid(value)));
}

function isUnsaid(value: unknown): boolean {
  return value === null || value === undefined || (isObject(value) && Object.keys(value).length === 0);
}
