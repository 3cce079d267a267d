import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerOf, isComplete } from "../../../lib/rules/interrupts/answer-form.ts";
import { readReview, resumeOf } from "../../../lib/rules/interrupts/review-request.ts";

const args = { to: "ada@example.org", urgent: false, copies: 2, tags: ["a"], note: "" };
const request = { name: "send_email", args, description: "Please look" };
const decisions = ["approve", "edit", "reject"];
/** The same request in the three spellings. */
const camel = {
  actionRequests: [request],
  reviewConfigs: [{ actionName: "send_email", allowedDecisions: decisions }],
};
const snake = {
  action_requests: [request],
  review_configs: [{ action_name: "send_email", allowed_decisions: decisions }],
};
const inbox = {
  action_request: { action: "send_email", args },
  config: { allow_accept: true, allow_edit: true, allow_ignore: true, allow_respond: false },
  description: "Please look",
};

function resumed(value: unknown, choice: string, typed: Record<string, string> = {}): unknown {
  const review = readReview(value);
  const fields = review?.actions[0]?.choices.find((one) => one.value === choice)?.fields ?? [];
  return review && resumeOf(review, [{ choice, given: answerOf(fields, typed) }]);
}

describe("a request of LangChain's middleware", () => {
  test.each([
    ["camelCase", camel, "editedAction"],
    ["snake_case", snake, "edited_action"],
  ])("in %s is answered in its own spelling", (_, value, edited) => {
    expect(readReview(value)?.actions).toMatchObject([{ name: "send_email", args, description: "Please look" }]);
    expect(resumed(value, "approve")).toEqual({ decisions: [{ type: "approve" }] });
    expect(resumed(value, "reject")).toEqual({ decisions: [{ type: "reject" }] });
    expect(resumed(value, "reject", { message: "No" })).toEqual({ decisions: [{ type: "reject", message: "No" }] });
    const typed = { to: "bob@example.org", urgent: "true", copies: "3", tags: '["b"]', note: "Hi" };
    const changed = { to: "bob@example.org", urgent: true, copies: 3, tags: ["b"], note: "Hi" };
    expect(resumed(value, "edit", typed)).toEqual({
      decisions: [{ type: "edit", [edited]: { name: "send_email", args: changed } }],
    });
    expect(resumed(value, "edit", { to: "" })).toEqual({
      decisions: [{ type: "edit", [edited]: { name: "send_email", args: { ...args, to: "" } } }],
    });
  });

  test("offers the decisions that are allowed for each call, and all decisions go back in order", () => {
    const review = readReview({
      actionRequests: [
        { name: "wipe", args: {} },
        { name: "ask", args: {} },
      ],
      reviewConfigs: [
        { actionName: "ask", allowedDecisions: ["respond"] },
        { actionName: "wipe", allowedDecisions: ["approve", "reject"] },
      ],
    });
    expect(review?.actions.map(({ choices }) => choices.map(({ value }) => value))).toEqual([
      ["approve", "reject"],
      ["respond"],
    ]);
    const made = [
      { choice: "reject", given: {} },
      { choice: "respond", given: { message: "Tuesday" } },
    ];
    expect(review && resumeOf(review, made)).toEqual({
      decisions: [{ type: "reject" }, { type: "respond", message: "Tuesday" }],
    });
  });

  test("has a description without the arguments, which are shown apart", () => {
    const description = 'Tool execution requires approval\n\nTool: send_email\nArgs: {\n  "to": "ada"\n}';
    const review = readReview({ ...camel, actionRequests: [{ ...request, description }] });
    expect(review?.actions[0]?.description).toBe("Tool execution requires approval");
  });

  test("takes names, descriptions and required fields from the arguments' schema", () => {
    const argsSchema = { properties: { to: { description: "Whom", title: "To" } }, required: ["to"] };
    const review = readReview({
      ...camel,
      reviewConfigs: [{ actionName: "send_email", allowedDecisions: ["edit"], argsSchema }],
    });
    const fields = review?.actions[0]?.choices[0]?.fields ?? [];
    expect(fields[0]).toMatchObject({ label: "To", description: "Whom", required: true, start: "ada@example.org" });
    expect(isComplete(fields, {})).toBe(true);
    expect(isComplete(fields, { to: " " })).toBe(false);
    expect(isComplete(fields, { tags: "[" })).toBe(false);
  });
});

test.each([
  ["alone", inbox],
  ["in a list", [inbox]],
])("a request of the Agent Inbox, %s, is answered as a list", (_, value) => {
  expect(readReview(value)?.actions[0]?.choices.map((one) => one.value)).toEqual(["approve", "edit", "reject"]);
  expect(resumed(value, "approve")).toEqual([{ type: "accept", args: null }]);
  expect(resumed(value, "reject")).toEqual([{ type: "ignore", args: null }]);
  expect(resumed(value, "edit", { to: "bob" })).toEqual([
    { type: "edit", args: { action: "send_email", args: { ...args, to: "bob" } } },
  ]);
});

test("an inbox that allows a response is resumed with its text", () => {
  const value = [{ ...inbox, config: { allow_respond: true } }];
  expect(resumed(value, "respond", { message: "Later" })).toEqual([{ type: "response", args: "Later" }]);
});

test("any value of an interrupt is a request with choices, or no request", () => {
  const odd = fc.record({ actionRequests: fc.jsonValue(), reviewConfigs: fc.jsonValue() });
  const near = fc.record({
    actionRequests: fc.array(fc.record({ name: fc.jsonValue() })),
    reviewConfigs: fc.jsonValue(),
  });
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), odd, near), (value) => {
      const review = readReview(value);
      expect(review?.actions.every(({ choices }) => choices.length > 0) ?? true).toBe(true);
      expect(review?.actions.length).not.toBe(0);
    }),
  );
  expect(readReview({ question: "Go?", schema: {} })).toBeUndefined();
  expect(readReview([])).toBeUndefined();
});
