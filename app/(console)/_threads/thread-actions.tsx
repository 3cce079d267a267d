"use client";

import { Suspense, useState } from "react";
import type { RoomApi } from "#lib/client/rooms.ts";
import type { ListedThread } from "#lib/client/listed-threads.ts";
import { counted } from "#lib/rules/text/counted.ts";
import { errorMessage } from "#lib/rules/text/error-message.ts";
import { SelectionBar } from "../_rooms/selection-bar.tsx";
import type { Selection } from "../_table/use-selection.ts";
import { Button } from "../_ui/button.tsx";
import { Notice } from "../_ui/notice.tsx";
import { lazyDialog } from "../_ui/lazy-part.ts";

const ConfirmDialog = lazyDialog(() => import("../_ui/confirm-dialog.tsx"));

/** The most threads of one request. */
const MOST = 1000;

/** Deletes the selected threads, or cancels their runs. */
export function ThreadActions({
  api,
  selection,
  onChange,
}: {
  api: RoomApi;
  selection: Selection<ListedThread>;
  onChange: () => void;
}) {
  const [isDeleting, setDeleting] = useState(false);
  const [isCancelling, setCancelling] = useState(false);
  const [failure, setFailure] = useState<string>();
  const ids = [...selection.rows.keys()];

  const cancel = async (): Promise<void> => {
    setCancelling(true);
    setFailure(undefined);
    try {
      await inParts(ids, api.threads.cancelRuns);
      selection.clear();
    } catch (error) {
      setFailure(errorMessage(error));
    } finally {
      setCancelling(false);
      onChange();
    }
  };
  const remove = async (): Promise<void> => {
    try {
      await inParts(ids, api.threads.remove);
    } finally {
      onChange();
    }
    selection.clear();
    setDeleting(false);
    // The focused button was removed with the bar.
    requestAnimationFrame(() => document.querySelector<HTMLElement>("[data-row][tabindex='0']")?.focus());
  };
  return (
    <>
      {failure === undefined ? null : (
        <Notice alert tone="bad" title="Not all runs were cancelled">
          {failure}
        </Notice>
      )}
      <SelectionBar count={ids.length} onClear={selection.clear}>
        <Button disabled={isCancelling} onClick={() => void cancel()}>
          {isCancelling ? "Cancelling…" : "Cancel runs"}
        </Button>
        <Button variant="danger" onClick={() => setDeleting(true)}>
          Delete…
        </Button>
      </SelectionBar>
      {isDeleting ? (
        <Suspense>
          <ConfirmDialog
            title={`Delete ${counted(ids.length, "thread")}?`}
            action={`Delete ${counted(ids.length, "thread")}`}
            busy="Deleting…"
            onClose={() => setDeleting(false)}
            onConfirm={remove}
          >
            They are deleted with all their messages, checkpoints and runs. Active runs are stopped. This cannot be
            undone.
          </ConfirmDialog>
        </Suspense>
      ) : null}
    </>
  );
}

async function inParts(ids: readonly string[], send: (ids: readonly string[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < ids.length; from += MOST) await send(ids.slice(from, from + MOST));
}
