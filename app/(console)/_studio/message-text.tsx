import { Answer } from "../_chat/answer.tsx";

/** Shows the text of a message. That of a model is Markdown, as in the chat; other texts are shown as they are. */
export function MessageText({ type, text }: { type: string; text: string }) {
  if (type === "ai") return <Answer text={text} live={false} />;
  return <p className="whitespace-pre-wrap">{text}</p>;
}
