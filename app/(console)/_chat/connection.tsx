"use client";

import { Suspense, useSyncExternalStore } from "react";
import type { ChatState } from "#lib/client/chat-state.ts";
import { useLive } from "../_shell/live.tsx";
import { lazyPart, preload } from "../_ui/lazy-part.ts";

const Reconnecting = lazyPart(() => import("./reconnecting.tsx"));
// The server is gone when it is needed.
preload(Reconnecting.load);

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** Tells of a lost connection, of the page or of the run that is followed. */
export function Connection({ running, interruption }: Pick<ChatState, "running" | "interruption">) {
  const { link, interruption: ofPage } = useLive();
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  const shown = interruption ?? (link === "reconnecting" ? ofPage : undefined);
  if (online && !shown && link !== "reconnecting") return null;
  return (
    <Suspense>
      <Reconnecting
        running={running}
        online={online}
        interruption={shown}
        onTry={() => {
          interruption?.tryNow();
          ofPage?.tryNow();
        }}
      />
    </Suspense>
  );
}
