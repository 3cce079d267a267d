"use client";

import { UserRound } from "lucide-react";
import { Suspense, useState } from "react";
import { Button } from "../_ui/button.tsx";
import { lazyDialog } from "../_ui/lazy-part.ts";
import type { Caller } from "./caller.ts";

const CallerDialog = lazyDialog(() => import("./caller-dialog.tsx"));

const NAMES: Record<Exclude<Caller, "open">, string> = {
  operator: "Operator",
  studio: "Studio user",
  custom: "Custom headers",
};

/** Shows as which caller this page calls an application with authentication, and opens the dialog that changes it. */
export function CallerButton({ deployment, caller, next }: { deployment: string; caller: Caller; next: string }) {
  const [isOpen, setOpen] = useState(false);
  if (caller === "open") return null;
  const label = `Calls as: ${NAMES[caller]}`;
  return (
    <>
      <Button
        variant="quiet"
        aria-haspopup="dialog"
        aria-label={label}
        title={label}
        onClick={() => setOpen(true)}
        className="max-sm:px-2!"
      >
        <UserRound /> <span className="max-sm:hidden">{NAMES[caller]}</span>
      </Button>
      {isOpen ? (
        <Suspense>
          <CallerDialog deployment={deployment} caller={caller} next={next} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
