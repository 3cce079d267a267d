import { HumanMessage } from "@langchain/core/messages";
import { Command, INTERRUPT, isInterrupted, MemorySaver } from "@langchain/langgraph";
import { getStateTypeSchema } from "@langchain/langgraph/zod/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { graph } from "../../graphs/approval.ts";
import { draftMessage } from "../../graphs/draft.ts";

/** The request of LangChain's middleware, as its Python side and public front ends spell it. */
const Request = z.strictObject({
  action_requests: z.tuple([
    z.strictObject({ name: z.string(), args: z.strictObject({ text: z.string() }), description: z.string() }),
  ]),
  review_configs: z.tuple([
    z.strictObject({
      action_name: z.string(),
      allowed_decisions: z.array(z.enum(["approve", "edit", "reject"])),
      args_schema: z.record(z.string(), z.unknown()),
    }),
  ]),
});

const draft = "To: Anna\nSubject: The build is green\n\nHello Anna,\n\nThe build is green.\n\nBest regards";

/** Runs the graph as a host does: with a checkpointer and a thread. */
async function start(request = "Email Anna that the build is green") {
  const config = { configurable: { thread_id: crypto.randomUUID() } };
  const hosted = Object.assign(Object.create(graph) as typeof graph, { checkpointer: new MemorySaver() });
  const first = await hosted.invoke({ messages: [new HumanMessage(request)] }, config);
  return { first, resume: (answer: unknown) => hosted.invoke(new Command({ resume: answer }), config), hosted, config };
}

function requestOf(result: unknown): z.infer<typeof Request> | undefined {
  return isInterrupted(result) ? Request.parse(result[INTERRUPT][0]?.value) : undefined;
}

const decided = (decision: object) => ({ decisions: [decision] });
const edited = (text: unknown) => ({ name: "send_message", args: { text } });

describe("the interrupt", () => {
  test("is a request to review one call, with the draft, the decisions and the schema of the arguments", async () => {
    const request = requestOf((await start()).first);
    const [action] = request?.action_requests ?? [];
    const [config] = request?.review_configs ?? [];
    expect(action).toMatchObject({ name: "send_message", args: { text: draft } });
    expect(action?.description).toContain('"yes", "no"');
    expect(config).toMatchObject({ action_name: action?.name, allowed_decisions: ["approve", "edit", "reject"] });
    const Schema = z.fromJSONSchema(config?.args_schema ?? {});
    expect(Schema.safeParse(action?.args).success).toBe(true);
    expect(Schema.safeParse({ text: "" }).success).toBe(false);
  });

  test('the draft is in the state with the decision "pending"', async () => {
    const { hosted, config } = await start();
    const { values, next } = await hosted.getState(config);
    expect(next).toEqual(["review"]);
    expect(values).toMatchObject({ draft, decision: "pending" });
  });
});

/** Any answer but null, false, 0 and "", with which LangGraph itself refuses to resume. */
const anyAnswer = fc.oneof(fc.string(), fc.jsonValue()).filter(Boolean);

describe("an answer", () => {
  test.each<[string, unknown, string, string]>([
    ["approve", decided({ type: "approve" }), "approve", "as drafted"],
    ["reject", decided({ type: "reject" }), "reject", "Nothing was sent"],
    ["reject with a reason", decided({ type: "reject", message: "Too early" }), "reject", "Your reason: Too early"],
    ["edit", decided({ type: "edit", edited_action: edited("Hi Anna!") }), "edit", "> Hi Anna!"],
    ["edit of a JavaScript client", decided({ type: "edit", editedAction: edited("Hi Anna!") }), "edit", "> Hi Anna!"],
    ["yes", "yes", "approve", "as drafted"],
    ["Y", "Y", "approve", "as drafted"],
    ["OK.", "OK.", "approve", "as drafted"],
    ["Yes, send it!", "Yes, send it!", "approve", "as drafted"],
    ["no", "no", "reject", "Nothing was sent"],
    ["n", "n", "reject", "Nothing was sent"],
    ["Cancel!", "Cancel!", "reject", "Nothing was sent"],
    ["edit: text", "edit: Hi Anna!", "edit", "> Hi Anna!"],
  ])("%s", async (_, answer, decision, reply) => {
    const { resume } = await start();
    const result = await resume(answer);
    expect(requestOf(result)).toBeUndefined();
    expect(result.decision).toBe(decision);
    expect(result.messages.map((message) => message.getType())).toEqual(["human", "ai"]);
    expect(result.messages.at(-1)?.text).toContain(reply);
  });

  test("an edit replaces the draft that is sent", async () => {
    const { resume } = await start();
    const result = await resume(decided({ type: "edit", edited_action: edited("Short and sweet") }));
    expect(result.draft).toBe("Short and sweet");
    expect(result.messages.at(-1)?.text).not.toContain("The build is green");
  });

  test("an unclear answer is asked again, as often as needed, and nothing is sent meanwhile", async () => {
    const { resume } = await start();
    const decisions = [{ type: "perhaps" }, { type: "edit" }, { type: "edit", edited_action: edited("") }];
    const two = { decisions: [{ type: "approve" }, { type: "approve" }] };
    for (const unclear of ["hmm", ...decisions.map(decided), two, { decisions: [] }, 7, "edit:"]) {
      const result = await resume(unclear);
      const description = expect.stringContaining("I did not understand") as string;
      expect(requestOf(result)?.action_requests).toMatchObject([{ args: { text: draft }, description }]);
      expect(result.messages).toHaveLength(1);
    }
    expect((await resume("yes")).decision).toBe("approve");
  });

  test("any answer gives a decision or the question again", async () => {
    await fc.assert(
      fc.asyncProperty(anyAnswer, async (answer) => {
        const result = await (await start()).resume(answer);
        expect(requestOf(result) === undefined).toBe(result.decision !== "pending");
      }),
      { numRuns: 40 },
    );
  });
});

test("a second request on the same thread is drafted and decided again", async () => {
  const { hosted, config, resume } = await start();
  await resume("no");
  const second = await hosted.invoke({ messages: [new HumanMessage("Tell Bob that we are late")] }, config);
  expect(requestOf(second)?.action_requests[0].args.text).toContain("To: Bob");
  expect(second.decision).toBe("pending");
  expect((await resume("yes")).messages).toHaveLength(4);
});

test("the drawing names the two branches after the review", async () => {
  const { nodes, edges } = await graph.getGraphAsync();
  expect(Object.keys(nodes)).toEqual(["__start__", "compose", "review", "send", "discard", "__end__"]);
  expect(edges.filter(({ conditional }) => conditional).map(({ data, target }) => [data, target])).toEqual([
    ["yes", "send"],
    ["no", "discard"],
  ]);
});

test("the JSON Schema of the state has all its keys", () => {
  expect(getStateTypeSchema(graph)).toMatchObject({
    properties: {
      messages: { langgraph_type: "messages" },
      draft: { type: "string" },
      decision: { enum: ["pending", "approve", "edit", "reject"] },
      reason: { type: "string" },
    },
  });
});

describe("drafting", () => {
  test.each([
    ["send an email to bob@example.com about the release", "To: bob@example.com\nSubject: The release\n\nHello,"],
    ["tell the team that lunch is at noon", "To: the team\nSubject: Lunch is at noon\n\nHello,\n\nLunch is at noon."],
    ["remind Peter to pay the rent", "To: Peter\nSubject: Pay the rent\n\nHello Peter,"],
    ["Please let Maria know that I'm late", "To: Maria\nSubject: I'm late"],
    ["buy milk", "To: (nobody named)\nSubject: Buy milk\n\nHello,\n\nBuy milk."],
  ])("%s", (request, beginning) => {
    expect(draftMessage(request).startsWith(beginning)).toBe(true);
  });

  test("any request gives a message with a receiver, a subject and a body", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (request) => {
        expect(draftMessage(request)).toMatch(/^To: .+\nSubject: .+\n\nHello[^\n]*,\n\n[^]+\n\nBest regards$/u);
      }),
    );
  });
});
