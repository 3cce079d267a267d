"use client";

import { useState } from "react";
import { useFollow, useLive } from "../_shell/live.tsx";
import { useSoon } from "./use-soon.ts";

/**
 * Follows the runs of a deployment's threads. Returns false until the page's connection is open or has failed: what is read
 * earlier has to be read again, because changes until then are not notified. `onOpen` reads that again. `onChange` is called
 * at most once a second when runs begin or end, and with each later connection.
 */
export function useFollowedThreads(
  deployment: string,
  { onOpen, onChange }: { onOpen: () => void; onChange: () => void },
): boolean {
  const { link } = useLive();
  const [isOpened, setOpened] = useState(false);
  const isFollowed = isOpened || link === "reconnecting" || link === "refused";
  const openedSoon = useSoon(onOpen);
  const changedSoon = useSoon(onChange);
  const onThreads = (): void => {
    setOpened(true);
    if (isFollowed) changedSoon();
    else openedSoon();
  };
  useFollow({ deployment, threads: true }, { onThreads });
  return isFollowed;
}
