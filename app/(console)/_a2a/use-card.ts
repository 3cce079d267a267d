"use client";

import { useCallback, useEffect } from "react";
import { readCard } from "#lib/client/a2a-card.ts";
import { isObject } from "#lib/protocol/json.ts";
import type { ServedCard } from "#lib/rules/agent-card/checks.ts";
import { useLive } from "../_shell/live.tsx";
import { useRead } from "../_ui/use-read.ts";

export interface LoadedCard {
  /** The last card that was read. */
  readonly served: ServedCard | undefined;
  readonly failure: string | undefined;
  /** True if the card declares push notifications. */
  readonly pushes: boolean;
  readonly reload: () => Promise<void>;
}

/** Reads the agent card. It is read again after a reconnect and when the status of the deployment changes. */
export function useCard(deployment: string, url: string): LoadedCard {
  const { link, deployments } = useLive();
  const status = deployments.find((one) => one.name === deployment)?.status;
  const isLost = link === "reconnecting";
  const read = useCallback(() => readCard(url, window.location.origin), [url]);
  const { value: served, failure, refresh } = useRead<ServedCard | undefined>(read, undefined);
  useEffect(() => {
    if (!isLost && status !== "deleting") void refresh();
  }, [refresh, isLost, status]);
  const capabilities = isObject(served?.v1) ? served.v1.capabilities : undefined;
  const pushes = isObject(capabilities) && capabilities.pushNotifications === true;
  return { served, failure, pushes, reload: refresh };
}
