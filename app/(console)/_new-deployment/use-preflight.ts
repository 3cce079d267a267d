"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { control, failureMessage } from "#lib/client/control.ts";
import type { PreflightAnswer } from "#lib/protocol/preflight.ts";
import type { Credentials, Source } from "#lib/protocol/sources.ts";

export type PreflightState =
  | { state: "idle" }
  | { state: "checking"; before: PreflightAnswer | undefined }
  | { state: "done"; report: PreflightAnswer }
  | { state: "failed"; message: string };

/** The delay after the last key, in ms, so that not every letter causes a request. */
const SETTLE_MS = 450;

/** Checks a source while it is typed, and passes each report to `onReport`. A change aborts the request before it. */
export function usePreflight(
  source: Source | undefined,
  credentials: Credentials | undefined,
  variables: readonly string[],
  onReport: (report: PreflightAnswer) => void,
): PreflightState {
  const [result, setResult] = useState<PreflightResult>();
  const onReportEvent = useEffectEvent(onReport);
  const request = source && JSON.stringify({ source, credentials, variables });
  useEffect(() => {
    if (request === undefined) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      control
        .preflight(JSON.parse(request) as Parameters<typeof control.preflight>[0], controller.signal)
        .then((report) => {
          setResult({ request, report });
          onReportEvent(report);
        })
        .catch((thrown: unknown) => {
          const message = failureMessage(thrown);
          if (message !== undefined) setResult({ request, message });
        });
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [request]);
  if (request === undefined) return { state: "idle" };
  if (result?.request !== request) return { state: "checking", before: result?.report };
  return result.report ? { state: "done", report: result.report } : { state: "failed", message: result.message ?? "" };
}

/** The result of one request: a report or an error. */
interface PreflightResult {
  request: string;
  report?: PreflightAnswer;
  message?: string;
}

export function reportOf(preflight: PreflightState): PreflightAnswer | undefined {
  if (preflight.state === "done") return preflight.report;
  return preflight.state === "checking" ? preflight.before : undefined;
}
