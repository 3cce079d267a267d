import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { answerOf, isComplete, readInterrupt } from "../../../lib/rules/interrupts/answer-form.ts";

const approval = z.toJSONSchema(
  z.object({ decision: z.enum(["approve", "edit", "reject"]), text: z.string().optional().describe("The new text") }),
);

describe("the form of an interrupt", () => {
  test('a schema with a decision gives a button per choice, and only "edit" has the text field', () => {
    const interrupt = readInterrupt({ question: "Send?", draft: "Dear Ada", schema: approval });
    expect(interrupt).toMatchObject({ question: "Send?", draft: "Dear Ada", rest: undefined });
    expect(interrupt.form).toMatchObject({
      kind: "choices",
      name: "decision",
      choices: [
        { value: "approve", fields: [] },
        { value: "edit", fields: [{ name: "text", required: true, start: "Dear Ada", description: "The new text" }] },
        { value: "reject", fields: [] },
      ],
    });
  });

  test("a schema without a decision gives a field per property", () => {
    const schema = z.toJSONSchema(
      z.object({
        city: z.string(),
        nights: z.int(),
        breakfast: z.boolean(),
        room: z.enum(["single", "double"]).optional(),
      }),
    );
    const { form } = readInterrupt({ question: "Where?", schema });
    const fields = form.kind === "fields" ? form.fields : [];
    expect(fields.map(({ name, kind, required }) => [name, kind, required])).toEqual([
      ["city", "text", true],
      ["nights", "number", true],
      ["breakfast", "boolean", true],
      ["room", "choice", false],
    ]);
    const typed = { city: "Oslo", nights: "3" };
    expect(isComplete(fields, { city: "Oslo", nights: "three" })).toBe(false);
    expect(isComplete(fields, { nights: "3" })).toBe(false);
    expect(isComplete(fields, typed)).toBe(true);
    expect(answerOf(fields, typed)).toEqual({ city: "Oslo", nights: 3, breakfast: false });
  });

  test("a list of words gives a button per word, and anything else a text field", () => {
    expect(readInterrupt({ schema: { enum: ["yes", "no"] } }).form).toEqual({
      kind: "choices",
      choices: [
        { value: "yes", fields: [] },
        { value: "no", fields: [] },
      ],
    });
    expect(readInterrupt("How old are you?")).toEqual({ question: "How old are you?", form: { kind: "words" } });
    expect(readInterrupt({ tool: "rm" })).toMatchObject({ rest: '{\n  "tool": "rm"\n}', form: { kind: "words" } });
  });

  test("options give a button per text, unless a schema says more or they are something else", () => {
    const question = "Which colour?";
    expect(readInterrupt({ question, options: ["red", "blue"] })).toEqual({
      question,
      form: {
        kind: "choices",
        choices: [
          { value: "red", fields: [] },
          { value: "blue", fields: [] },
        ],
      },
    });
    for (const options of [[], ["red", 3], ["red", "red"], ["red", " "], "red", { red: 1 }]) {
      expect(readInterrupt({ question, options })).toMatchObject({ rest: expect.any(String), form: { kind: "words" } });
    }
    const schema = { enum: ["yes", "no"] };
    const { form, rest } = readInterrupt({ question, schema, options: ["red"] });
    expect(form).toMatchObject({ choices: [{ value: "yes" }, { value: "no" }] });
    expect(rest).toContain("red");
  });

  test("any value of an interrupt has a question", () => {
    const odd = fc.record({ question: fc.jsonValue(), draft: fc.jsonValue(), schema: fc.jsonValue() });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), odd), (value) => {
        expect(readInterrupt(value).question).toEqual(expect.any(String));
      }),
    );
  });
});
