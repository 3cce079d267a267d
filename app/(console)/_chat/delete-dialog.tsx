"use client";

import { useState } from "react";
import { errorMessage } from "#lib/rules/text/error-message.ts";
import { Button } from "../_ui/button.tsx";
import { Dialog } from "../_ui/dialog.tsx";

/** Asks for confirmation before a thread is deleted. */
export default function DeleteDialog({
  title,
  onClose,
  onDelete,
}: {
  title: string;
  onClose: () => void;
  onDelete: () => Promise<void>;
}) {
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const confirm = () => {
    setBusy(true);
    setFailure(undefined);
    onDelete().catch((error: unknown) => {
      setFailure(errorMessage(error));
      setBusy(false);
    });
  };
  return (
    <Dialog open onClose={onClose} title="Delete this thread?">
      <p className="break-words text-ink-2">
        <span className="font-medium text-ink">{title}</span> is deleted with all its messages and checkpoints, and its
        active runs are stopped. This cannot be undone.
      </p>
      {failure === undefined ? null : (
        <p role="alert" className="mt-3 break-words text-bad">
          The thread was not deleted: {failure}
        </p>
      )}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" disabled={isBusy} onClick={confirm}>
          {isBusy ? "Deleting…" : "Delete"}
        </Button>
      </div>
    </Dialog>
  );
}
