"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { readCard } from "@/lib/client/a2a-card.ts";
import { isObject } from "@/lib/protocol/json.ts";
import type { ServedCard } from "@/lib/rules/agent-card/checks.ts";
import { errorMessage } from "@/lib/rules/text/error-message.ts";
import { useLive } from "../_shell/live.tsx";

export interface LoadedCard {
  /** The last card that was read. */
  readonly served: ServedCard | undefined;
  readonly failure: string | undefined;
  /** True if the card declares push notifications. */
  readonly pushes: boolean;
  readonly reload: () => void;
}

/** Reads the agent card. It is read again after a reconnect and when the status of the deployment changes. */
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
        if (request === newest.current) setFailure(errorMessage(error));
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
