import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asksForV1, isVersionSpoken, methods, type Message, type Part } from "../../lib/protocol/a2a.ts";
import { parseGet, parseParams, parseSend } from "../../lib/protocol/a2a-input.ts";
import type { Parsed } from "../../lib/protocol/a2a-parts.ts";
import { renderings } from "../../lib/protocol/a2a-render.ts";
import { Message03, Message10 } from "./a2a-schemas.ts";

const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const codeOf = (read: Parsed<unknown>): number | undefined => (read.ok ? undefined : read.error.code);

const word = fc.stringMatching(/^[a-zA-Z0-9 ._/-]{1,20}$/);
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
/** Zod drops `__proto__` from records, which is fine. */
const key = word.filter((name) => name !== "__proto__");
const object = fc.dictionary(key, fc.jsonValue(), { minKeys: 1, noNullPrototype: true });
const about = { mediaType: maybe(word), name: maybe(word), metadata: maybe(object) };

/** Parts that both dialects can represent without loss. */
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ kind: fc.constant("text" as const), text: fc.string(), metadata: about.metadata }),
  fc.record({
    kind: fc.constant("data" as const),
    data: object,
    mediaType: fc.constant("application/json"),
    metadata: about.metadata,
  }),
  fc.record({ kind: fc.constant("bytes" as const), bytes: fc.base64String(), ...about }),
  fc.record({ kind: fc.constant("url" as const), url: fc.webUrl(), ...about }),
);

const message: fc.Arbitrary<Message> = fc.record(
  {
    messageId: word,
    role: fc.constantFrom("user" as const, "agent" as const),
    parts: fc.array(part, { minLength: 1, maxLength: 5 }),
    contextId: word,
    taskId: word,
    metadata: object,
    extensions: fc.array(word, { minLength: 1, maxLength: 2 }),
    referenceTaskIds: fc.array(word, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ["messageId", "role", "parts"] },
);

function written(dialect: "0.3" | "1.0", one: Message): unknown {
  const task = { id: "t", contextId: "c", status: { state: "working" as const, timestamp: "", message: one } };
  const rendered = renderings[dialect].task(task);
  return (wire(rendered) as { status: { message: unknown } }).status.message;
}

describe("a message", () => {
  it.each([
    ["0.3", Message03],
    ["1.0", Message10],
  ] as const)("is rendered for v%s without a member that the generation does not have", (dialect, schema) => {
    fc.assert(
      fc.property(message, (one) => {
        expect(schema.safeParse(written(dialect, one)).error).toBeUndefined();
      }),
    );
  });

  it.each(["0.3", "1.0"] as const)(
    "rendered for v%s and parsed again is the same, under either method name",
    (dialect) => {
      fc.assert(
        fc.property(message, fc.constantFrom("0.3" as const, "1.0" as const), (one, method) => {
          const read = parseSend({ message: written(dialect, one) }, method);
          if (!read.ok) throw new Error(read.error.message);
          const { message: body, messageId, contextId, taskId } = read.value;
          // v0.3 has no media type for text and data.
          const parts = one.parts.map((each) =>
            dialect === "0.3" && each.kind === "data" ? { ...each, mediaType: undefined } : each,
          );
          expect(wire({ ...body, messageId, contextId, taskId })).toEqual(wire({ ...one, parts }));
        }),
      );
    },
  );
});

describe("parseSend", () => {
  const near = fc.record(
    {
      message: fc.oneof(
        fc.jsonValue(),
        fc.record(
          {
            messageId: fc.oneof(word, fc.jsonValue()),
            role: fc.oneof(fc.constant("user"), fc.jsonValue()),
            contextId: fc.oneof(word, fc.jsonValue()),
            parts: fc.oneof(fc.array(fc.oneof(part, fc.jsonValue())), fc.jsonValue()),
            metadata: fc.jsonValue(),
          },
          { requiredKeys: [] },
        ),
      ),
      configuration: fc.oneof(fc.jsonValue(), fc.record({ blocking: fc.jsonValue(), historyLength: fc.jsonValue() })),
      thread: fc.jsonValue(),
      metadata: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );

  it("is total: any JSON is parsed, or refused as wrong parameters or content", () => {
    fc.assert(
      fc.property(
        fc.oneof(near, fc.jsonValue()),
        fc.constantFrom("0.3" as const, "1.0" as const),
        (params, dialect) => {
          expect([undefined, -32602, -32005]).toContain(codeOf(parseSend(wire(params), dialect)));
        },
      ),
      { numRuns: 3000 },
    );
  });

  const text = [{ kind: "text", text: "hi" }];
  const read = (params: unknown, dialect: "0.3" | "1.0" = "0.3") => {
    const parsed = parseSend(params, dialect);
    if (!parsed.ok) throw new Error(parsed.error.message);
    return parsed.value;
  };

  it("takes ids that older clients put beside the message, and prefers those in it", () => {
    const beside = { messageId: "m1", taskId: "t1", thread: { threadId: "c1" } };
    expect(read({ message: { parts: text }, ...beside })).toMatchObject({
      messageId: "m1",
      contextId: "c1",
      taskId: "t1",
      message: { role: "user" },
    });
    expect(read({ message: { parts: text, messageId: "m", contextId: "c" }, ...beside })).toMatchObject({
      messageId: "m",
      contextId: "c",
    });
    expect(read({ message: { parts: text }, contextId: "c2", thread: { threadId: "c1" } }).contextId).toBe("c2");
  });

  it("reads empty ids as missing", () => {
    const sent = read({ message: { parts: text, messageId: "", contextId: "", taskId: null } });
    expect([sent.messageId, sent.contextId, sent.taskId]).toEqual([undefined, undefined, undefined]);
  });

  it("waits unless the client requests otherwise, in its dialect's terms", () => {
    const with03 = (configuration: unknown) => read({ message: { parts: text }, configuration }).wait;
    const v1 = { messageId: "m", role: "ROLE_USER", parts: text };
    const with10 = (configuration: unknown) => read({ message: v1, configuration }, "1.0").wait;
    expect([with03(undefined), with03({}), with03({ blocking: true }), with03({ blocking: false })]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect([with10(undefined), with10({ returnImmediately: false }), with10({ returnImmediately: true })]).toEqual([
      true,
      true,
      false,
    ]);
    expect(with10({ return_immediately: true })).toBe(false);
    expect(with10({ blocking: false })).toBe(true);
  });

  it.each([
    ["text by kind", { kind: "text", text: "a" }, { kind: "text", text: "a" }],
    ["text by type, as older texts have it", { type: "text", text: "a" }, { kind: "text", text: "a" }],
    ["text by itself", { text: "a" }, { kind: "text", text: "a" }],
    [
      "v1 text with a media type",
      { text: "a", media_type: "text/x" },
      { kind: "text", text: "a", mediaType: "text/x" },
    ],
    ["any JSON as v1 data", { data: [1] }, { kind: "data", data: [1] }],
    [
      "a v0.3 file by content",
      { kind: "file", file: { bytes: "AA==", mimeType: "image/png", name: "a.png" } },
      { kind: "bytes", bytes: "AA==", mediaType: "image/png", name: "a.png" },
    ],
    [
      "a file by address under its older name",
      { kind: "file", file: { fileWithUri: "https://a/b" } },
      { kind: "url", url: "https://a/b" },
    ],
    ["a v1 file", { raw: "AA==", mediaType: "", filename: "a" }, { kind: "bytes", bytes: "AA==", name: "a" }],
  ])("reads %s", (_, given, expected) => {
    expect(read({ message: { parts: [given] } }).message.parts).toEqual([expected]);
  });

  it.each([
    ["no message", {}, "message"],
    ["no parts", { message: {} }, "message.parts"],
    ["null as parts", { message: { parts: null } }, "message.parts"],
    ["an empty list of parts", { message: { parts: [] } }, "message.parts"],
    ["a string as parts", { message: { parts: "hello" } }, "message.parts"],
    ["a part that is a string", { message: { parts: ["hello"] } }, "message.parts.0"],
    ["a part without content", { message: { parts: [{}] } }, "message.parts.0"],
    ["a part with two contents", { message: { parts: [{ text: "a", data: 1 }] } }, "message.parts.0"],
    ["text that is a number", { message: { parts: [{ kind: "text", text: 1 }] } }, "message.parts.0.text"],
    ["data without data", { message: { parts: [{ kind: "data" }] } }, "message.parts.0.data"],
    ["a file without content", { message: { parts: [{ kind: "file", file: {} }] } }, "message.parts.0.file"],
    ["an unknown role", { message: { role: "system", parts: text } }, "message.role"],
    ["a control character in an id", { message: { contextId: "a\nb", parts: text } }, "message.contextId"],
    ["too long an id", { message: { contextId: "a".repeat(256), parts: text } }, "message.contextId"],
    [
      "negative history",
      { message: { parts: text }, configuration: { historyLength: -1 } },
      "configuration.historyLength",
    ],
    [
      "fractional history",
      { message: { parts: text }, configuration: { historyLength: 1.5 } },
      "configuration.historyLength",
    ],
    ["more than 100 parts", { message: { parts: Array(101).fill(text[0]) } }, "message.parts"],
    ["more than 1 MiB of text", { message: { parts: [{ text: "a".repeat(2 ** 20) }] } }, "message.parts"],
    ["more than 64 KiB of metadata", { message: { parts: text }, metadata: { a: "a".repeat(2 ** 16) } }, "metadata"],
  ])("refuses %s and names the field", (_, params, field) => {
    const refused = parseSend(params, "0.3");
    expect(refused).toMatchObject({ ok: false, error: { code: -32602, data: [{ fieldViolations: [{ field }] }] } });
  });

  it("requires message id and role in v1.0 only", () => {
    expect(parseSend({ message: { role: "ROLE_USER", parts: text } }, "1.0")).toMatchObject({
      error: { code: -32602 },
    });
    expect(parseSend({ message: { messageId: "m", parts: text } }, "1.0")).toMatchObject({ error: { code: -32602 } });
    expect(parseSend({ message: { parts: text } }, "0.3").ok).toBe(true);
  });

  it("refuses an unknown kind of part as unsupported content, not as wrong parameters", () => {
    expect(codeOf(parseSend({ message: { parts: [{ kind: "hologram", text: "a" }] } }, "0.3"))).toBe(-32005);
  });

  it("reads a push configuration of either dialect", () => {
    const push = (configuration: unknown) => read({ message: { parts: text }, configuration }).push;
    const authentication = { schemes: ["Bearer"], credentials: "c" };
    expect(push({})).toBeUndefined();
    expect(push({ pushNotificationConfig: { url: "u", authentication } })).toEqual({
      url: "u",
      authentication: { scheme: "Bearer", credentials: "c" },
    });
    expect(push({ task_push_notification_config: { url: "u", token: "t", task_id: "" } })).toEqual({
      url: "u",
      token: "t",
    });
  });

  it("merges the metadata of the call and of the message", () => {
    expect(read({ message: { parts: text, metadata: { a: 1, b: 1 } }, metadata: { b: 2, c: 2 } }).metadata).toEqual({
      a: 1,
      b: 1,
      c: 2,
    });
  });
});

describe("parameters", () => {
  it("must be an object without an empty name", () => {
    for (const params of [undefined, null, [], "a", 1, { "": 1 }]) expect(codeOf(parseParams(params))).toBe(-32602);
    expect(parseParams({})).toEqual({ ok: true, value: {} });
  });

  it("of a get name the task", () => {
    expect(parseGet({ id: "t", history_length: 3 })).toEqual({ ok: true, value: { id: "t", historyLength: 3 } });
    for (const params of [{}, { id: "" }, { id: 1 }, { id: "t", historyLength: -1 }, { id: "t", historyLength: "x" }]) {
      expect(codeOf(parseGet(params))).toBe(-32602);
    }
  });
});

describe("versions and methods", () => {
  it("accepts 0.2, 0.3 and 1.x with or without a patch number, and no header", () => {
    for (const version of ["", " ", "0.2.6", "0.3", "0.3.0", "1.0", "1.0.0", "1.7"]) {
      expect(isVersionSpoken(version), version).toBe(true);
    }
    for (const version of ["0.5", "9.9", "2.0", "1", "v1.0", "1.0.0.0", "garbage", "1.0, 0.3"]) {
      expect(isVersionSpoken(version), version).toBe(false);
    }
    expect(["1.0", "1.0.1", "0.3", "", "10.0"].map(asksForV1)).toEqual([true, true, false, false, false]);
  });

  it("has no methods with the names of Object.prototype's members", () => {
    for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"])
      expect(methods.has(name)).toBe(false);
  });

  it("has eleven methods in each dialect", () => {
    const dialects = [...methods.values()].map((method) => method.dialect);
    expect([dialects.filter((one) => one === "0.3").length, dialects.filter((one) => one === "1.0").length]).toEqual([
      11, 11,
    ]);
  });
});
