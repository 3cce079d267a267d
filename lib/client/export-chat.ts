import { conversationMarkdown, exportFileName } from "../rules/threads/export.ts";
import type { Chat } from "./chat.ts";

export type ExportFormat = "md" | "json";

export interface Export {
  readonly name: string;
  readonly text: string;
}

/** Writes what a chat shows as Markdown, or the thread and its state as the API gives them. Throws a `RequestFailure`. */
export async function exportChat(
  { api, thread, state }: Chat,
  format: ExportFormat,
  { title, assistant }: { title: string; assistant: string },
): Promise<Export> {
  const name = exportFileName(title, format);
  const { exchanges, checkpoint } = state();
  if (format === "md")
    return {
      name,
      text: conversationMarkdown(
        title,
        assistant,
        exchanges.map((one) => one.turn),
      ),
    };
  const [whole, shown] = await Promise.all([api.get(thread), api.state(thread, checkpoint)]);
  return { name, text: `${JSON.stringify({ thread: whole, state: shown }, null, 2)}\n` };
}
