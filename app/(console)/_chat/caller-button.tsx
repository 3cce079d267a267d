"use client";

import { UserRound } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button } from "../_ui/button.tsx";
import { type Caller, useSurroundings } from "./chat-context.ts";

const CallerDialog = lazy(() => import("./caller-dialog.tsx"));

const WORDS: Record<Caller, string> = {
  open: "",
  operator: "Operator",
  studio: "Studio user",
  own: "Own headers",
  closed: "",
  disabled: "",
};

/** As whom this chat calls an application that asks, and how to be somebody else. */
export function CallerButton() {
  const { caller } = useSurroundings();
  const [isOpen, setOpen] = useState(false);
  if (caller === "open") return null;
  const words = `Calls as: ${WORDS[caller]}`;
  return (
    <>
      <Button
        look="quiet"
        aria-haspopup="dialog"
        aria-label={words}
        title={words}
        onClick={() => setOpen(true)}
        className="max-sm:px-2!"
      >
        <UserRound /> <span className="max-sm:hidden">{WORDS[caller]}</span>
      </Button>
      {isOpen ? (
        <Suspense>
          <CallerDialog onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
