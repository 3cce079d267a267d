"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { readCard } from "@/lib/client/a2a-card.ts";
import { isObject } from "@/lib/protocol/json.ts";
import type { ServedCard } from "@/lib/rules/agent-card/checks.ts";
import { useLive } from "../_shell/live.tsx";

export interface LoadedCard {
  /** The last that could be read. */
  readonly served: ServedCard | undefined;
  readonly failure: string | undefined;
  /** It says that clients may be told of changes. */
  readonly pushes: boolean;
  readonly reload: () => void;
}

/** The card as this browser is served it; read again when the server is back, or the deployment in another state. */
export function useCard(deployment: string, url: string): LoadedCard {
  const [served, setServed] = useState<ServedCard>();
  const [failure, setFailure] = useState<string>();
  const { link, deployments } = useLive();
  const status = deployments.find((one) => one.name === deployment)?.status;
  const isLost = link === "reconnecting";
  const newest = useRef(0);
  const read = useCallback(() => {
    const request = ++newest.current;
    readCard(url, window.location.origin).then(
      (card) => {
        if (request !== newest.current) return;
        setServed(card);
        setFailure(undefined);
      },
      (error: unknown) => {
        if (request === newest.current) setFailure(error instanceof Error ? error.message : String(error));
      },
    );
  }, [url]);
  useEffect(() => {
    if (!isLost && status !== "deleting") read();
  }, [read, isLost, status]);
  const capabilities = isObject(served?.v1) ? served.v1.capabilities : undefined;
  const pushes = isObject(capabilities) && capabilities.pushNotifications === true;
  return { served, failure, pushes, reload: read };
}
