import type { Passed as Told } from "#lib/client/chat-state.ts";
import { Notice } from "../_ui/notice.tsx";

/** The inbox knows only that questions are `closed`, and not how. */
type Kind = Told | "closed";

export interface PassedProps {
  passed: Kind;
  /** The title of the thread, in a list. */
  where?: string;
  /** The server's words about an answer that came too late. */
  reason?: string;
}

const WORDS: Record<Kind, { readonly title: string; readonly text: string }> = {
  answered: { title: "Somebody else has answered", text: "The thread went on with their answer." },
  replaced: { title: "Somebody else has started a run", text: "The questions that were open here are closed." },
  closed: { title: "The question is closed", text: "Somebody else has answered it, or has started a run." },
  late: {
    title: "Your answer did not count",
    text: "The thread has gone on meanwhile, because somebody else answered or started a run.",
  },
};

/** Says what another client did with the questions that were open here. */
export default function Passed({ passed, where, reason }: PassedProps) {
  const { title, text } = WORDS[passed];
  return (
    <Notice alert={passed === "late"} tone="waiting" title={title}>
      {where === undefined ? null : `${where}: `}
      {text} {reason}
    </Notice>
  );
}
