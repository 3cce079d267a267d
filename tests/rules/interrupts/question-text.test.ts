import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { questionText } from "../../../lib/rules/interrupts/question-text.ts";

describe("the text of an interrupt's question", () => {
  it("is text for any value, and never longer than the value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(typeof questionText(value)).toBe("string");
        expect(questionText(value).length).toBeLessThanOrEqual(JSON.stringify(value).length);
      }),
    );
  });

  it("is the value if that is text, or its question and draft", () => {
    expect(questionText("Send?")).toBe("Send?");
    expect(questionText({ question: "Send?", draft: "Dear Ada" })).toBe("Send?\n\nDear Ada");
    expect(questionText({ question: "Send?", schema: {} })).toBe("Send?");
    expect(questionText({ city: "Bern" })).toBe('{"city":"Bern"}');
  });

  it("is the description, name and arguments of each call to review", () => {
    const mail = { name: "send_email", args: { to: "ada@example.org", copies: 2 }, description: "Please look" };
    const value = { action_requests: [mail, { name: "stop", args: {} }], review_configs: [] };
    expect(questionText(value)).toBe("Please look\n\nsend_email\nto: ada@example.org\ncopies: 2\n\nstop");
  });
});
