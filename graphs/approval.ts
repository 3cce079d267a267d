// A person decides: the graph drafts a message, stops, and goes on when it is resumed with an answer.
import { AIMessage } from "@langchain/core/messages";
import { END, interrupt, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import { draftMessage } from "./draft.ts";

/** What the graph is resumed with. The words yes and no will do as well. */
const Answer = z.object({
  decision: z.enum(["approve", "edit", "reject"]),
  text: z.string().optional().describe("The text to send instead; needed for edit"),
});
type Answer = z.infer<typeof Answer>;

const State = new StateSchema({
  messages: MessagesValue,
  draft: z.string().default(""),
  decision: z.enum(["pending", ...Answer.shape.decision.options]).default("pending"),
});
type State = typeof State.State;

const schema = z.toJSONSchema(Answer);

const ACCEPTED = 'Answer "yes", "no", or "edit: " and the new text.';

function compose({ messages }: State) {
  const request = messages.findLast((message) => message.getType() === "human")?.text ?? "";
  return { draft: draftMessage(request), decision: "pending" as const };
}

/** Runs again from its first line at every resume: the first interrupts then return the answers given before. */
function review({ draft }: State) {
  let answer = toAnswer(interrupt({ question: `Shall I send this message? ${ACCEPTED}`, draft, schema }));
  while (!answer)
    answer = toAnswer(interrupt({ question: `I did not understand that answer. ${ACCEPTED}`, draft, schema }));
  return { decision: answer.decision, draft: answer.decision === "edit" ? answer.text : draft };
}

function toAnswer(given: unknown): Answer | undefined {
  const answer = typeof given === "string" ? fromWords(given) : Answer.safeParse(given).data;
  return answer?.decision === "edit" && !answer.text?.trim() ? undefined : answer;
}

function fromWords(words: string): Answer | undefined {
  const [, text] = /^\s*edit\s*:\s*(.+)$/isu.exec(words) ?? [];
  if (text) return { decision: "edit", text };
  const said = words.trim().replace(/[.!]+$/u, "");
  if (
    /^(?:y|yes(?:,? (?:please|send it|go ahead))?|yep|yeah|sure|ok|okay|approved?|accept|send|send it|go|go ahead|do it)$/iu.test(
      said,
    )
  )
    return { decision: "approve" };
  if (/^(?:n|no(?:,? (?:thanks|thank you|don't))?|nope|reject(?:ed)?|cancel|discard|stop|don't|do not)$/iu.test(said))
    return { decision: "reject" };
  return undefined;
}

/** This example has no mail server: put your own client here. */
function send({ draft, decision }: State) {
  const how = decision === "edit" ? "with your changes" : "as drafted";
  return { messages: [new AIMessage(`Approved, ${how}. This goes out:\n\n${quote(draft)}`)] };
}

function discard({ draft }: State) {
  return { messages: [new AIMessage(`Rejected. Nothing was sent; this draft is discarded:\n\n${quote(draft)}`)] };
}

function quote(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

export const graph = new StateGraph(State)
  .addNode("compose", compose)
  .addNode("review", review)
  .addNode("send", send)
  .addNode("discard", discard)
  .addEdge(START, "compose")
  .addEdge("compose", "review")
  .addConditionalEdges("review", ({ decision }) => (decision === "reject" ? "no" : "yes"), {
    yes: "send",
    no: "discard",
  })
  .addEdge("send", END)
  .addEdge("discard", END)
  .compile();
