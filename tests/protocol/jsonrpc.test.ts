import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { encodeRpc, invalidParams, parseRpc, type RpcRequest } from "../../lib/protocol/jsonrpc.ts";

const requestId = fc.oneof(
  fc.maxSafeInteger().map((id) => id + 0),
  fc.string({ maxLength: 40 }),
  fc.constant(null),
);
const codeOf = (rpc: RpcRequest): number | undefined => (rpc.ok ? undefined : rpc.error.code);

describe("parseRpc", () => {
  it("is total: any text is a request, or one refusal with a code of the envelope", () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((json) => json.slice(0, -1)),
    );
    fc.assert(
      fc.property(text, (body) => {
        expect([undefined, -32700, -32600]).toContain(codeOf(parseRpc(body)));
      }),
      { numRuns: 2000 },
    );
  });

  it("accepts any well-formed call and returns its id with its JSON type", () => {
    const call = fc.record({ jsonrpc: fc.constant("2.0"), id: requestId, method: fc.string({ minLength: 1 }) });
    fc.assert(
      fc.property(call, fc.jsonValue(), (envelope, params) => {
        const rpc = parseRpc(JSON.stringify({ ...envelope, params }));
        expect(rpc).toMatchObject({ ok: true, method: envelope.method });
        expect(JSON.parse(encodeRpc(rpc.id, { result: null }))).toEqual({
          jsonrpc: "2.0",
          id: envelope.id,
          result: null,
        });
      }),
    );
  });

  it("refuses any batch with one error without an id", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (batch) => {
        expect(parseRpc(JSON.stringify(batch))).toMatchObject({ ok: false, id: null, error: { code: -32600 } });
      }),
    );
  });

  it("answers a request without id with id null", () => {
    expect(parseRpc('{"jsonrpc":"2.0","method":"tasks/get"}')).toEqual({
      ok: true,
      id: null,
      method: "tasks/get",
      params: undefined,
    });
  });

  it.each([
    ["no text", "", -32700, null],
    ["cut text", '{"jsonrpc":"2.0","id":1', -32700, null],
    ["a bare string", '"hello"', -32600, null],
    ["null", "null", -32600, null],
    ["another version", '{"jsonrpc":"1.0","id":7,"method":"m"}', -32600, 7],
    ["a version that is a number", '{"jsonrpc":2.0,"id":"a","method":"m"}', -32600, "a"],
    ["no method", '{"jsonrpc":"2.0","id":7}', -32600, 7],
    ["an empty method", '{"jsonrpc":"2.0","id":7,"method":""}', -32600, 7],
    ["a method that is a number", '{"jsonrpc":"2.0","id":7,"method":1}', -32600, 7],
    ["a fractional id", '{"jsonrpc":"2.0","id":1.5,"method":"m"}', -32600, null],
    ["an id beyond exact integers", '{"jsonrpc":"2.0","id":12345678901234567890,"method":"m"}', -32600, null],
    ["an object as id", '{"jsonrpc":"2.0","id":{},"method":"m"}', -32600, null],
    ["an array as id", '{"jsonrpc":"2.0","id":[1],"method":"m"}', -32600, null],
    ["a boolean as id", '{"jsonrpc":"2.0","id":true,"method":"m"}', -32600, null],
    ["too long an id", `{"jsonrpc":"2.0","id":"${"x".repeat(1025)}","method":"m"}`, -32600, null],
  ])("refuses %s", (_, body, code, id) => {
    const rpc = parseRpc(body);
    expect(codeOf(rpc)).toBe(code);
    expect(rpc.id).toBe(id);
  });

  it("refuses more than 64 levels of nesting, at any depth", () => {
    const nested = (levels: number) =>
      `{"jsonrpc":"2.0","id":1,"method":"m","params":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    expect(parseRpc(nested(60)).ok).toBe(true);
    expect(codeOf(parseRpc(nested(70)))).toBe(-32600);
    expect(codeOf(parseRpc(nested(200_000)))).toBe(-32600);
  });
});

test("a response holds its result or its error, and no other members of its source", () => {
  const refused = { ok: false, error: { code: -32602, message: "no" } };
  expect(JSON.parse(encodeRpc(1, refused))).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32602, message: "no" } });
  expect(JSON.parse(encodeRpc("a", { result: null }))).toEqual({ jsonrpc: "2.0", id: "a", result: null });
});

describe("invalidParams", () => {
  it("has the first wrong field in its message and all of them as data", () => {
    const violations = [
      { field: "message.parts", description: "required" },
      { field: "id", description: "expected string" },
    ];
    expect(invalidParams(violations)).toEqual({
      code: -32602,
      message: "Invalid parameters: message.parts: required",
      data: [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: violations }],
    });
  });
});
