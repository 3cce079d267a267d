"use client";

import { useState } from "react";
import type { Chat } from "#lib/client/chat.ts";
import type { ExportFormat } from "#lib/client/export-chat.ts";
import { errorMessage } from "#lib/rules/text/error-message.ts";
import { useChatContext } from "./chat-context.ts";

/** Returns a function that saves the conversation as a file, and why the last one was not saved. */
export function useExport(chat: Chat) {
  const { title, assistant } = useChatContext();
  const [failure, setFailure] = useState<string>();
  const save = async (format: ExportFormat): Promise<void> => {
    const { saveChat } = await import("#lib/client/export-chat.ts");
    await saveChat(chat, format, { title: title ?? "", assistant: assistant.name });
  };
  const onExport = (format: ExportFormat): void => {
    setFailure(undefined);
    save(format).catch((error: unknown) => setFailure(errorMessage(error)));
  };
  return { onExport, failure };
}

export function ExportFailure({ reason }: { reason: string | undefined }) {
  if (reason === undefined) return null;
  return (
    <p role="alert" className="mb-2 rounded-control bg-bad-soft px-3.5 py-2 break-words text-bad">
      The conversation was not exported: {reason}
    </p>
  );
}
