"use client";

import { useCallback, useEffect, useState } from "react";
import { readCard } from "@/lib/client/a2a.ts";
import { isObject } from "@/lib/protocol/json.ts";
import type { ServedCard } from "@/lib/rules/card-checks.ts";
import { useLive } from "../_shell/live.tsx";

export interface CardRead {
  /** The last that could be read. */
  readonly served: ServedCard | undefined;
  readonly failure: string | undefined;
  /** It says that clients may be told of changes. */
  readonly pushes: boolean;
  readonly reload: () => void;
}

/** The card as this browser is served it; read again when the server is back or the deployment has changed. */
export function useCard(url: string): CardRead {
  const [served, setServed] = useState<ServedCard>();
  const [failure, setFailure] = useState<string>();
  const [wanted, setWanted] = useState(0);
  const { link, deployments } = useLive();
  const states = JSON.stringify(deployments);
  useEffect(() => {
    let isOld = false;
    readCard(url, window.location.origin).then(
      (card) => {
        if (isOld) return;
        setServed(card);
        setFailure(undefined);
      },
      (error: unknown) => {
        if (!isOld) setFailure(error instanceof Error ? error.message : String(error));
      },
    );
    return () => {
      isOld = true;
    };
  }, [url, wanted, link, states]);
  const capabilities = isObject(served?.v1) ? served.v1.capabilities : undefined;
  return {
    served,
    failure,
    pushes: isObject(capabilities) && capabilities.pushNotifications === true,
    reload: useCallback(() => setWanted((before) => before + 1), []),
  };
}
