"use client";

import { ButtonLink } from "../_ui/button.tsx";
import { LoadFailure, Notice } from "../_ui/notice.tsx";

/** Replaces the messages of a thread that is deleted, or that could not be read for the `reason`. */
export default function UnreadThread({
  reason,
  newChat,
  onRetry,
}: {
  reason: string | undefined;
  /** The address of a new chat. */
  newChat: string;
  onRetry: () => void;
}) {
  if (reason !== undefined) {
    return (
      <LoadFailure what="This thread" onRetry={onRetry}>
        {reason} The thread is still stored on the server.
      </LoadFailure>
    );
  }
  return (
    <Notice
      tone="neutral"
      title="This thread no longer exists"
      action={
        <ButtonLink variant="primary" href={newChat}>
          New thread
        </ButtonLink>
      }
    >
      It was deleted, or the URL is incomplete. The list has the other threads.
    </Notice>
  );
}
