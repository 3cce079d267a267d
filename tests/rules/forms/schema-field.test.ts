import { describe, expect, test } from "vitest";
import { z } from "zod";
import { rootField } from "../../../lib/rules/forms/schema-field.ts";
import { membersOf, promptsByNode, shownField, startValue } from "../../../lib/rules/forms/schema-form.ts";
import { MESSAGE_DEFINITIONS, MESSAGES } from "../../../lib/worker/schemas/messages.ts";

describe("fields", () => {
  const kinds = (schema: unknown): Record<string, string> =>
    Object.fromEntries(membersOf(rootField(schema), undefined).map(({ key, field }) => [key, field.kind]));

  test("follow zod's schemas", () => {
    const schema = z.toJSONSchema(
      z.object({
        topic: z.string(),
        mail: z.email(),
        code: z.string().max(8),
        count: z.int(),
        share: z.number(),
        deep: z.boolean().optional(),
        tone: z.enum(["dry", "warm"]),
        kind: z.literal("report"),
        size: z.union([z.literal(1), z.literal("all")]),
        tags: z.array(z.string()),
        pair: z.tuple([z.string(), z.int()]),
        place: z.object({ city: z.string() }),
        extra: z.record(z.string(), z.int()),
        any: z.unknown(),
        either: z.union([z.string(), z.array(z.string())]),
        maybe: z.string().nullable(),
      }),
    );
    expect(kinds(schema)).toEqual({
      topic: "long-text",
      mail: "text",
      code: "text",
      count: "integer",
      share: "number",
      deep: "boolean",
      tone: "choice",
      kind: "choice",
      size: "choice",
      tags: "list",
      pair: "list",
      place: "object",
      extra: "object",
      any: "json",
      either: "union",
      maybe: "long-text",
    });
    const members = membersOf(rootField(schema), undefined);
    expect(members.find(({ key }) => key === "maybe")?.field.nullable).toBe(true);
    expect(members.filter(({ field }) => !field.required).map(({ key }) => key)).toEqual(["deep"]);
    expect(members.find(({ key }) => key === "size")?.field.options).toEqual([1, "all"]);
  });

  test("know LangChain's messages by their mark, their items or their name", () => {
    const defs = { $defs: MESSAGE_DEFINITIONS };
    expect(kinds({ ...defs, properties: { chat: MESSAGES } })).toEqual({ chat: "messages" });
    expect(kinds({ ...defs, properties: { chat: { anyOf: [MESSAGES, { type: "null" }] } } })).toEqual({
      chat: "messages",
    });
    expect(kinds({ ...defs, properties: { chat: { type: "array", items: { $ref: "#/$defs/BaseMessage" } } } })).toEqual(
      {
        chat: "messages",
      },
    );
    expect(kinds({ properties: { messages: {}, message: {} } })).toEqual({ messages: "messages", message: "json" });
    expect(kinds({ properties: { messages: { type: "string" } } })).toEqual({ messages: "long-text" });
    expect(kinds({ properties: { messages: { type: "array", items: { type: "string" } } } })).toEqual({
      messages: "list",
    });
  });

  test("take title, description and default beside a reference, and merge allOf", () => {
    const schema = {
      $defs: { tone: { type: "string", enum: ["dry"], title: "Inner" } },
      properties: {
        tone: { $ref: "#/$defs/tone", title: "Outer", description: "How it sounds", default: "dry" },
        both: {
          allOf: [
            { properties: { a: { type: "string" } }, required: ["a"] },
            { properties: { b: { type: "integer" } } },
          ],
        },
      },
    };
    const [tone, both] = membersOf(rootField(schema), {});
    expect(tone?.field).toMatchObject({
      kind: "choice",
      label: "Outer",
      description: "How it sounds",
      options: ["dry"],
    });
    expect(
      membersOf(both?.field ?? rootField(null), {}).map(({ key, field }) => [key, field.kind, field.required]),
    ).toEqual([
      ["a", "long-text", true],
      ["b", "integer", false],
    ]);
  });

  test("of a union follow the value, and values of no kind are JSON", () => {
    const either = rootField({ anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] });
    expect([undefined, "a", ["a"], 1].map((value) => shownField(either, value).kind)).toEqual([
      "long-text",
      "long-text",
      "list",
      "json",
    ]);
    expect(shownField(rootField({ type: "string", maxLength: 9 }), "a\nb").kind).toBe("long-text");
  });

  test("of a part with a dialect of its own follow its own definitions, and else those of the whole", () => {
    const part = { $schema: "http://json-schema.org/draft-07/schema#", definitions: { a: { type: "integer" } } };
    const schema = {
      $defs: { b: { type: "boolean" } },
      definitions: { a: { type: "string" } },
      properties: { inner: { ...part, properties: { a: { $ref: "#/definitions/a" }, b: { $ref: "#/$defs/b" } } } },
    };
    const [inner] = membersOf(rootField(schema), {});
    const found = inner ? membersOf(inner.field, {}) : [];
    expect(found.map(({ key, field }) => [key, field.kind])).toEqual([
      ["a", "integer"],
      ["b", "boolean"],
    ]);
  });

  test("of recursive schemas end", () => {
    const schema = { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" };
    expect(rootField(schema).kind).toBe("json");
    const node = { type: "object", properties: { next: { $ref: "#" } }, required: ["next"] };
    expect(JSON.stringify(startValue(rootField(node)))).toBe('{"next":{"next":{"next":{"next":{}}}}}');
    const looped = { anyOf: [{ $ref: "#" }, { $ref: "#" }] };
    expect(shownField(rootField(looped), "x").kind).toBe("json");
    for (const name of ["allOf", "anyOf", "oneOf"]) {
      const wide = { [name]: Array.from({ length: 300 }, () => ({ $ref: "#" })) };
      expect(shownField(rootField(wide), "x").kind).toBe("json");
    }
  });
});

test("prompts stand under each node that reads them", () => {
  const prompt = (nodes?: unknown) => ({ type: "string", langgraph_type: "prompt", langgraph_nodes: nodes });
  const schema = {
    properties: { a: prompt(["plan", "write"]), b: prompt(["write"]), c: prompt(), d: { type: "string" } },
  };
  expect(promptsByNode(schema).map(({ node, prompts }) => [node, prompts.map(({ name }) => name)])).toEqual([
    ["plan", ["a"]],
    ["write", ["a", "b"]],
    [undefined, ["c"]],
  ]);
});
