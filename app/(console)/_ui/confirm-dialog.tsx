"use client";

import type { ReactNode } from "react";
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
  children,
}: {
  title: string;
  /** The word on the button, and the one while it happens. */
  action: string;
  busy: string;
  onClose: () => void;
  onConfirm: () => Promise<void>;
  children: ReactNode;
}) {
  const { busy: isBusy, failure, act } = useAct<"confirm">();
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
        <Button variant="danger" disabled={isBusy !== undefined} onClick={() => act("confirm", onConfirm())}>
          {isBusy ? busy : action}
        </Button>
      </div>
    </Dialog>
  );
}
