"use client";

import { useEffect, useState } from "react";
import type { Interruption } from "#lib/client/follow-to-end.ts";
import { Button } from "../_ui/button.tsx";
import { Dot } from "../_ui/status.tsx";

interface ReconnectingProps {
  running: boolean;
  online: boolean;
  /** Undefined while the device is offline, or before the first try. */
  interruption: Interruption | undefined;
  onTry: () => void;
}

/** Says why the connection is lost, what that means for the run or the message, and when it is tried again. */
export default function Reconnecting({ running, online, interruption: shown, onTry }: ReconnectingProps) {
  return (
    <div className="mb-2 flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1.5 rounded-control bg-waiting-soft px-3.5 py-1.5 text-waiting">
      <output className="flex min-w-0 flex-1 basis-64 items-baseline gap-2.5">
        <Dot tone="waiting" />
        <span>
          <span className="font-medium">{online ? WHAT[shown?.why ?? "unreachable"] : OFFLINE}</span>{" "}
          {running ? "The run is stored on the server: its answer goes on there, and nothing of it is lost." : KEPT}
        </span>
      </output>
      {online && shown ? <NextTry key={shown.next} at={shown.next} onTry={onTry} /> : null}
    </div>
  );
}

const OFFLINE = "This device is offline. Reconnecting when it is online…";
const WHAT: Record<Interruption["why"], string> = {
  unreachable: "The server does not answer. Reconnecting…",
  restarting: "The server is restarting. Reconnecting…",
};
const KEPT = "What you type is kept here until you send it.";

function NextTry({ at, onTry }: { at: number; onTry: () => void }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((at - now) / 1000);
  return (
    <span className="flex items-center gap-3">
      <span className="text-small whitespace-nowrap">{seconds > 0 ? `Next try in ${seconds} s` : "Trying…"}</span>
      <Button onClick={onTry}>Try now</Button>
    </span>
  );
}
