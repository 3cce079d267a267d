"use client";

import { Button } from "../_ui/button.tsx";
import { Notice } from "../_ui/notice.tsx";
import { useStudio } from "./studio-context.ts";

/** Says that the thread is gone, and leads to a new one. */
export function GoneThread() {
  const { state, setQuery } = useStudio();
  const isDeleted = state.passed === "deleted";
  return (
    <Notice
      alert={isDeleted}
      tone="neutral"
      title={isDeleted ? "This thread was deleted" : "This thread no longer exists"}
      action={
        <Button onClick={() => void setQuery({ thread: null, checkpoint: null, compare: null, edit: null })}>
          New thread
        </Button>
      }
    >
      {isDeleted
        ? "Somebody deleted it while it was open here. Its questions, its state and its runs are gone with it."
        : "It was deleted, or the URL is incomplete. Choose another one above, or run the graph to begin a new one."}
    </Notice>
  );
}
