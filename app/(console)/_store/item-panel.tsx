"use client";

import { ArrowLeft, Pencil, Trash2 } from "lucide-react";
import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import type { ItemId, StoreApi } from "#lib/client/store.ts";
import type { Item } from "#lib/protocol/store.ts";
import { JsonView } from "../_form/json-view.tsx";
import { Button } from "../_ui/button.tsx";
import { useReconnected } from "../_shell/use-reconnected.ts";
import { CopyButton } from "../_ui/copy-button.tsx";
import { lazyPart } from "../_ui/lazy-part.ts";
import { Moment } from "../_ui/moment.tsx";
import { LoadFailure, Notice } from "../_ui/notice.tsx";
import { Loading, Skeleton } from "../_ui/skeleton.tsx";
import { useRead } from "../_ui/use-read.ts";
import { Score } from "./item-words.tsx";

const ItemForm = lazyPart(() => import("./item-form.tsx"));
const ConfirmDialog = lazyPart(() => import("../_ui/confirm-dialog.tsx"));

interface ItemPanelProps {
  api: StoreApi;
  id: ItemId;
  /** The item as the list has it, with its score. */
  listed: Item | undefined;
  isEditing: boolean;
  /** The item takes the focus when it opens. */
  takesFocus: boolean;
  onEdit: (isEditing: boolean) => void;
  onClose: () => void;
  /** Called when the store has changed. */
  onChange: () => void;
}

/** One item: read, edited, deleted. */
export default function ItemPanel({
  api,
  id,
  listed,
  isEditing,
  takesFocus,
  onEdit,
  onClose,
  onChange,
}: ItemPanelProps) {
  const { namespace, key } = id;
  const path = namespace.join(".");
  const read = useCallback(() => api.get({ namespace: path.split("."), key }), [api, path, key]);
  const { value, failure, refresh } = useRead<Item | null | undefined>(read, undefined);
  useEffect(() => void refresh(), [refresh]);
  useReconnected(() => {
    // A form stays as long as its item is edited, also if the item is gone.
    if (!isEditing) void refresh();
  });
  const [isDeleting, setDeleting] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  // Also after Cancel, because somebody else may have changed the item: the form has said so, and the list does not know.
  const leaveForm = (): void => {
    onEdit(false);
    void refresh();
    onChange();
  };
  const item = value ?? (value === null ? undefined : listed);
  const isLoading = item === undefined && value === undefined && failure === undefined;
  return (
    <section aria-label={`Item ${key}`} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-4 py-2.5">
        <Button variant="quiet" onClick={onClose} className="-ml-2 px-2! lg:hidden">
          <ArrowLeft /> Items
        </Button>
        <div className="min-w-0 flex-1 basis-48">
          <h2 ref={heading} tabIndex={-1} className="font-semibold wrap-anywhere outline-none">
            {key}
          </h2>
          <div className="flex items-center gap-1 font-mono text-small text-ink-2">
            <span className="truncate" title={path}>
              {path}
            </span>
          </div>
        </div>
        {item && !isEditing ? (
          <div className="flex items-center gap-1">
            <CopyButton text={key} label="Copy the key" variant="icon" />
            <Button variant="quiet" onClick={() => onEdit(true)}>
              <Pencil /> Edit
            </Button>
            <Button variant="quiet" className="text-bad!" onClick={() => setDeleting(true)}>
              <Trash2 /> Delete
            </Button>
          </div>
        ) : isLoading ? (
          <Skeleton className="h-8 w-50 pointer-coarse:h-10" />
        ) : null}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        {failure === undefined ? null : (
          <LoadFailure what="The item" onRetry={() => void refresh()}>
            {failure}
          </LoadFailure>
        )}
        {value === null ? (
          <Notice tone="neutral" title="There is no such item">
            It was deleted, has expired, or you may not see it.
          </Notice>
        ) : item === undefined ? (
          isLoading && <Loading what="the item" className="h-40" />
        ) : isEditing ? (
          <Suspense fallback={<Loading what="the editor" className="h-60" />}>
            <ItemForm api={api} item={item} namespace={namespace} onCancel={leaveForm} onSaved={leaveForm} />
          </Suspense>
        ) : (
          <>
            <Times item={item} score={listed?.score} />
            <JsonView label={`Value of ${key}`} value={item.value} />
          </>
        )}
      </div>
      {isDeleting ? (
        <Suspense>
          <ConfirmDialog
            title="Delete this item?"
            action="Delete"
            busy="Deleting…"
            onClose={() => setDeleting(false)}
            onConfirm={async () => {
              await api.remove(id);
              onClose();
              onChange();
            }}
          >
            <span className="font-medium text-ink">{key}</span> in <span className="font-mono text-code">{path}</span>{" "}
            is deleted for all graphs. This cannot be undone.
          </ConfirmDialog>
        </Suspense>
      ) : null}
    </section>
  );
}

function Times({ item, score }: { item: Item; score: number | null | undefined }) {
  return (
    <p className="mb-4 flex flex-wrap gap-x-4 text-small text-ink-2">
      <span>
        Created <Moment at={item.created_at} />
      </span>
      <span>
        Changed <Moment at={item.updated_at} />
      </span>
      {typeof score === "number" ? <Score score={score} /> : null}
    </p>
  );
}
