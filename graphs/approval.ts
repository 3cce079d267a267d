/**
 * Lets a person decide: the graph drafts a message, stops, and goes on when it is resumed with a decision. The request
 * has the form of LangChain's human-in-the-loop middleware, so that every front end which knows that can answer:
 * https://docs.langchain.com/oss/javascript/langchain/human-in-the-loop
 */
import { AIMessage } from "@langchain/core/messages";
import { END, interrupt, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import { draftMessage } from "./draft.ts";

const TOOL = "send_message";

const Arguments = z.object({ text: z.string().min(1).describe("The message as it goes out") });

const Edited = z.object({ name: z.string(), args: Arguments });

/** A person's decision. JavaScript and Python spell the edited call in two ways. */
const Decision = z.union([
  z.object({ type: z.literal("approve") }),
  z.object({ type: z.literal("reject"), message: z.string().optional() }),
  z.object({ type: z.literal("edit"), edited_action: Edited }),
  z
    .object({ type: z.literal("edit"), editedAction: Edited })
    .transform(({ editedAction }) => ({ type: "edit" as const, edited_action: editedAction })),
]);
type Decision = z.infer<typeof Decision>;

/** The value that resumes the graph. Words such as yes and no are accepted, too. */
const Answer = z.object({ decisions: z.tuple([Decision]) });

const State = new StateSchema({
  messages: MessagesValue,
  draft: z.string().default(""),
  decision: z.enum(["pending", "approve", "edit", "reject"]).default("pending"),
  /** The reason for a rejection. */
  reason: z.string().default(""),
});
type State = typeof State.State;

const ACCEPTED = 'Answer "yes", "no", or "edit: " and the new text.';

function compose({ messages }: State) {
  const request = messages.findLast((message) => message.getType() === "human")?.text ?? "";
  return { draft: draftMessage(request), decision: "pending" as const, reason: "" };
}

/** Runs again from its first line at every resume. The first interrupts then return the answers given before. */
function review({ draft }: State) {
  let decision = readAnswer(interrupt(requestOf(draft, `Shall I send this message? ${ACCEPTED}`)));
  while (!decision) decision = readAnswer(interrupt(requestOf(draft, `I did not understand that answer. ${ACCEPTED}`)));
  const { type } = decision;
  return {
    decision: type,
    draft: type === "edit" ? decision.edited_action.args.text : draft,
    reason: type === "reject" ? (decision.message ?? "") : "",
  };
}

/** Returns the request that LangChain's middleware makes for one call of a tool. */
function requestOf(text: string, description: string) {
  return {
    action_requests: [{ name: TOOL, args: { text }, description }],
    review_configs: [
      {
        action_name: TOOL,
        allowed_decisions: ["approve", "edit", "reject"],
        args_schema: z.toJSONSchema(Arguments),
      },
    ],
  };
}

function readAnswer(given: unknown): Decision | undefined {
  return typeof given === "string" ? fromWords(given) : Answer.safeParse(given).data?.decisions[0];
}

function fromWords(words: string): Decision | undefined {
  const [, text] = /^\s*edit\s*:\s*(.+)$/isu.exec(words) ?? [];
  if (text) return { type: "edit", edited_action: { name: TOOL, args: { text } } };
  const answer = words.trim().replace(/[.!]+$/u, "");
  if (
    /^(?:y|yes(?:,? (?:please|send it|go ahead))?|yep|yeah|sure|ok|okay|approved?|accept|send|send it|go|go ahead|do it)$/iu.test(
      answer,
    )
  )
    return { type: "approve" };
  if (/^(?:n|no(?:,? (?:thanks|thank you|don't))?|nope|reject(?:ed)?|cancel|discard|stop|don't|do not)$/iu.test(answer))
    return { type: "reject" };
  return undefined;
}

/** Shows the message and sends nothing, because this example has no mail server. Put your own client here. */
function send({ draft, decision }: State) {
  const how = decision === "edit" ? "with your changes" : "as drafted";
  return { messages: [new AIMessage(`Approved, ${how}. This goes out:\n\n${quote(draft)}`)] };
}

function discard({ draft, reason }: State) {
  const why = reason.trim() === "" ? "" : ` Your reason: ${reason.trim()}\n\n`;
  return {
    messages: [new AIMessage(`Rejected. Nothing was sent.${why || " "}This draft is discarded:\n\n${quote(draft)}`)],
  };
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
