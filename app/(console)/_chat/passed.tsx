import type { Passed as Kind } from "#lib/client/chat-state.ts";
import { Notice } from "../_ui/notice.tsx";

const WORDS: Record<Kind, { readonly title: string; readonly text: string }> = {
  answered: { title: "Somebody else has answered", text: "The thread went on with their answer." },
  replaced: { title: "Somebody else has started a run", text: "The questions that were open here are closed." },
  late: {
    title: "Your answer did not count",
    text: "The thread has gone on meanwhile, because somebody else answered or started a run.",
  },
};

/** Says what another client did with the questions that were open here. */
export default function Passed({ passed }: { passed: Kind }) {
  const { title, text } = WORDS[passed];
  return (
    <Notice alert={passed === "late"} tone="waiting" title={title}>
      {text}
    </Notice>
  );
}
