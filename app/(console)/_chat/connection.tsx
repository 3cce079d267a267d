"use client";

import { useSyncExternalStore } from "react";
import { useLive } from "../_shell/live.tsx";
import { Dot } from "../_ui/status.tsx";

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** Shows that the connection is lost. A running answer is resumed after it; no message is sent again automatically. */
export function Connection({ reconnecting }: { reconnecting: boolean }) {
  const { link } = useLive();
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  if (online && link !== "reconnecting" && !reconnecting) return null;
  return (
    <output className="mb-2 flex items-center gap-2.5 rounded-control bg-waiting-soft px-3.5 py-2 text-waiting">
      <Dot tone="waiting" />
      {online ? "The server does not answer. Reconnecting…" : "This device is offline. Reconnecting when it is online…"}
    </output>
  );
}
