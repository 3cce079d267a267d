"use client";

import { apiBase } from "#lib/client/api-base.ts";
import { Dialog } from "../_ui/dialog.tsx";
import type { Caller } from "./caller.ts";
import { HeadersForm } from "./headers-form.tsx";

const EXPLANATIONS: Record<Exclude<Caller, "open">, string> = {
  operator: "You are signed in with the API key of the server, so the application does not authenticate you.",
  studio:
    "This application has its own authentication. The console calls it as a studio user and sees what that user may see.",
  custom: "The console sends the headers that you entered. You see what their user may see.",
};

/** Explains as which caller the page calls, and takes the headers of another one. */
export default function CallerDialog({
  deployment,
  caller,
  next,
  onClose,
}: {
  deployment: string;
  caller: Exclude<Caller, "open">;
  /** The page to load after the caller was changed. */
  next: string;
  onClose: () => void;
}) {
  return (
    <Dialog open onClose={onClose} title="Caller">
      <p className="mb-4 text-ink-2">{EXPLANATIONS[caller]}</p>
      <HeadersForm base={apiBase(deployment)} next={next} />
    </Dialog>
  );
}
