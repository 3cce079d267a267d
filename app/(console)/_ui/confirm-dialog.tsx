"use client";

import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { useAct } from "./use-act.ts";

/** Asks for confirmation before something that cannot be undone. Stays open with the reason if it fails. */
export default function ConfirmDialog({
  title,
  action,
  busy,
  onClose,
  onConfirm,
  nextFocus,
  children,
}: {
  title: string;
  /** The word on the button, and the one while it happens. */
  action: string;
  busy: string;
  onClose: () => void;
  onConfirm: () => Promise<void>;
  /** Returns what takes the focus after it was confirmed; the page's main content if left out. */
  nextFocus?: () => HTMLElement | null;
  children: ReactNode;
}) {
  const { busy: isBusy, failure, act } = useAct<"confirm">();
  const isConfirmed = useRef(false);
  const focusNext = useEffectEvent(() => {
    // The confirmed action removes the element that had the focus before, as a deletion removes its row.
    if (isConfirmed.current) requestAnimationFrame(() => (nextFocus ?? mainContent)()?.focus({ preventScroll: true }));
  });
  useEffect(() => () => focusNext(), []);
  const confirm = async () => {
    isConfirmed.current = true;
    try {
      await onConfirm();
    } catch (error) {
      isConfirmed.current = false;
      throw error;
    }
  };
  return (
    <Dialog open onClose={onClose} title={title}>
      <div className="break-words text-ink-2">{children}</div>
      {failure === undefined ? null : (
        <p role="alert" className="mt-3 break-words text-bad">
          {failure}
        </p>
      )}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>Back</Button>
        <Button variant="danger" disabled={isBusy !== undefined} onClick={() => act("confirm", confirm())}>
          {isBusy ? busy : action}
        </Button>
      </div>
    </Dialog>
  );
}

const mainContent = (): HTMLElement | null => document.getElementById("main");
