"use client";

import { apiBase } from "@/lib/client/api-base.ts";
import { Dialog } from "../_ui/dialog.tsx";
import type { Caller } from "./caller.ts";
import { HeadersForm } from "./headers-form.tsx";

const EXPLANATIONS: Record<Caller, string> = {
  open: "",
  operator: "You have signed in with the server's key, so this application is not asked about you.",
  studio: "This application asks who is calling. The console calls as a studio user, and sees what that user may see.",
  own: "This application is asked about the headers that you gave, and shows what their user may see.",
  closed: "",
  disabled: "",
};

/** Explains as which caller the page calls, and takes the headers of another one. */
export default function CallerDialog({
  deployment,
  caller,
  next,
  onClose,
}: {
  deployment: string;
  caller: Caller;
  next: string;
  onClose: () => void;
}) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Who is calling">
      <p className="mb-4 text-ink-2">{EXPLANATIONS[caller]}</p>
      <HeadersForm base={apiBase(deployment)} next={next} />
    </Dialog>
  );
}
