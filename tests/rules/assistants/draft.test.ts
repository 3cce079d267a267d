import fc from "fast-check";
import { expect, test } from "vitest";
import { type AssistantDraft, changesOf, comparableState, configSchema } from "../../../lib/rules/assistants/draft.ts";
import { rootField } from "../../../lib/rules/forms/schema-field.ts";
import { membersOf } from "../../../lib/rules/forms/schema-form.ts";

const draft: fc.Arbitrary<AssistantDraft> = fc.record({
  name: fc.string(),
  description: fc.string(),
  graph_id: fc.constantFrom("a", "b"),
  context: fc.jsonValue(),
  config: fc.jsonValue(),
  metadata: fc.jsonValue(),
});

test("the changes lead from one draft to the other, and name nothing that is equal", () => {
  fc.assert(
    fc.property(draft, draft, (before, after) => {
      const changes = changesOf(before, after);
      expect({ ...before, ...changes }).toEqual(after);
      expect(changesOf(after, structuredClone(after))).toEqual({});
      for (const name of Object.keys(changes) as (keyof AssistantDraft)[])
        expect(before[name]).not.toEqual(after[name]);
    }),
  );
  const empty = { name: "", description: "", graph_id: "a", context: { a: 1 }, config: {}, metadata: {} };
  expect(changesOf(empty, { ...empty, context: undefined })).toEqual({ context: {} });
});

test("the schema of a configuration keeps the graph's own one, with its definitions", () => {
  const schema = configSchema({
    type: "object",
    properties: { tone: { $ref: "#/$defs/tone" } },
    $defs: { tone: { enum: ["dry", "warm"] } },
  });
  const configurable = membersOf(rootField(schema), {}).find(({ key }) => key === "configurable");
  const [tone] = configurable ? membersOf(configurable.field, {}) : [];
  expect(tone?.field).toMatchObject({ kind: "choice", options: ["dry", "warm"] });
  expect(membersOf(rootField(configSchema(null)), {})[0]?.field.kind).toBe("json");
});

test("two runs that say the same have the same comparable state", () => {
  const state = (id: string) => ({
    messages: [
      { id, type: "ai", content: "Hi", tool_calls: [{ id, name: "add", args: { a: 1 } }] },
      { id, type: "tool", content: "2", tool_call_id: id },
      "text",
    ],
    id,
  });
  expect(comparableState({ ...state("1"), id: 0 })).toEqual(comparableState({ ...state("2"), id: 0 }));
  expect(comparableState(state("1"))).not.toEqual(comparableState(state("2")));
  expect(comparableState(null)).toBe(null);
});
