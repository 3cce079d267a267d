"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { control, failureMessage } from "@/lib/client/control.ts";
import type { PreflightAnswer } from "@/lib/protocol/preflight.ts";
import type { Credentials, Source } from "@/lib/protocol/sources.ts";

export type Look =
  | { state: "nothing" }
  | { state: "looking"; before: Report | undefined }
  | { state: "seen"; report: Report }
  | { state: "refused"; told: string };

export type Report = PreflightAnswer;

/** After the last key this long, so that not every letter is looked at. */
const SETTLE_MS = 450;

/** Looks at a source while it is typed, and calls back with each report; what is no longer wanted is given up. */
export function usePreflight(
  source: Source | undefined,
  credentials: Credentials | undefined,
  variables: readonly string[],
  onReport: (report: Report) => void,
): Look {
  const [seen, setSeen] = useState<Seen>();
  const tell = useEffectEvent(onReport);
  const asked = source && JSON.stringify({ source, credentials, variables });
  useEffect(() => {
    if (asked === undefined) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      control
        .preflight(JSON.parse(asked) as Parameters<typeof control.preflight>[0], controller.signal)
        .then((report) => {
          setSeen({ asked, report });
          tell(report);
        })
        .catch((thrown: unknown) => {
          const told = failureMessage(thrown);
          if (told !== undefined) setSeen({ asked, told });
        });
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [asked]);
  if (asked === undefined) return { state: "nothing" };
  if (seen?.asked !== asked) return { state: "looking", before: seen?.report };
  return seen.report ? { state: "seen", report: seen.report } : { state: "refused", told: seen.told ?? "" };
}

/** What came of one look. */
interface Seen {
  asked: string;
  report?: Report;
  told?: string;
}

export function reportOf(look: Look): Report | undefined {
  if (look.state === "seen") return look.report;
  return look.state === "looking" ? look.before : undefined;
}
