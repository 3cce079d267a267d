import { conversationMarkdown, exportFileName } from "../rules/threads/export.ts";
import type { Chat } from "./chat.ts";
import { saveFile } from "./save-file.ts";

export type ExportFormat = "md" | "json";

const TYPES: Record<ExportFormat, string> = { md: "text/markdown", json: "application/json" };

interface Export {
  readonly name: string;
  readonly text: string;
}

/** Saves what a chat shows as a file of the browser's user. Throws a `RequestFailure`. */
export async function saveChat(chat: Chat, format: ExportFormat, names: ExportNames): Promise<void> {
  const { name, text } = await exportChat(chat, format, names);
  saveFile(name, new Blob([text], { type: TYPES[format] }));
}

/** The names in the file. */
interface ExportNames {
  readonly title: string;
  /** The name of the assistant. */
  readonly assistant: string;
}

/** Writes what a chat shows as Markdown, or the thread and its state as the API gives them. Throws a `RequestFailure`. */
export async function exportChat(
  { api, thread, state }: Chat,
  format: ExportFormat,
  { title, assistant }: ExportNames,
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
