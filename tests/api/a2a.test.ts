import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { RpcAnswer } from "../protocol/a2a-schemas.ts";
import { json, raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";
import { call, codeOf, parseResponse, parts, rawA2a, type RpcResponse } from "./a2a-raw.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/a2a") });

const { at, request } = rawA2a(() => server);

describe("the envelope", () => {
  test.each([
    ["an empty body", "", -32700, null],
    ["no JSON", "{", -32700, null],
    ["a batch", `[${call("tasks/get", { id: "a" })}]`, -32600, null],
    ["an empty batch", "[]", -32600, null],
    ["a string", '"hello"', -32600, null],
    ["a wrong version", '{"jsonrpc":"1.0","id":"a","method":"tasks/get"}', -32600, "a"],
    ["no method", '{"jsonrpc":"2.0","id":3}', -32600, 3],
    ["an id of a wrong type", '{"jsonrpc":"2.0","id":{"a":1},"method":"tasks/get"}', -32600, null],
    ["an unknown method", call("tasks/destroy", {}), -32601, 1],
    ["a method every object has", call("constructor", {}), -32601, 1],
    ["no parameters", call("message/send"), -32602, 1],
    ["a list of parameters", call("message/send", []), -32602, 1],
    ["an empty name among the parameters", call("tasks/get", { "": 1, id: "a" }), -32602, 1],
    ["an unknown task", call("tasks/get", { id: "a" }), -32001, 1],
  ])("with %s is refused with its code", async (_, body, code, id) => {
    expect(parseResponse(await raw(at("words"), { method: "POST", body }))).toMatchObject({ id, error: { code } });
  });

  test("returns the id as it was sent", async () => {
    for (const id of [0, -7, "7", "", null, Number.MAX_SAFE_INTEGER]) {
      const body = call("tasks/get", { id: "a" }, id);
      expect(parseResponse(await raw(at("words"), { body })).id).toBe(id);
    }
    expect(parseResponse(await raw(at("words"), { body: '{"jsonrpc":"2.0","method":"tasks/get"}' })).id).toBe(null);
  });

  test("in another content type is refused, with the id where it can be read", async () => {
    const as = async (type: string) =>
      parseResponse(await raw(at("words"), { body: call("tasks/get", { id: "a" }), headers: { "content-type": type } }))
        .error?.code;
    expect(await as("text/plain")).toBe(-32005);
    expect(await as("application/xml")).toBe(-32005);
    expect(await as("application/json; charset=utf-8")).toBe(-32001);
    expect(await as("application/a2a+json")).toBe(-32001);
    // A page elsewhere could send a body without a content type. With a key, it is read as JSON.
    expect(await as("")).toBe(-32005);
  });

  test("of an unsupported version is refused before its method is looked up", async () => {
    for (const version of ["0.5", "9.9", "garbage"]) {
      const answer = await request("words", "tasks/destroy", {}, { "a2a-version": version });
      expect(answer.error).toMatchObject({ code: -32009, data: [{ reason: "VERSION_NOT_SUPPORTED" }] });
    }
    for (const version of ["0.2.6", "0.3", "0.3.0", "1.0", "1.0.0", "1.9"]) {
      expect(await codeOf(request("words", "tasks/get", { id: "a" }, { "a2a-version": version }))).toBe(-32001);
    }
    expect(
      parseResponse(await raw(`${at("words")}?A2A-Version=9.9`, { body: call("tasks/get", {}) })).error?.code,
    ).toBe(-32009);
  });
});

describe("HTTP", () => {
  test("is 404 for an unknown assistant, with a JSON-RPC body", async () => {
    const answer = await raw(at("nobody"), { body: call("message/send", { message: { parts } }, "x") });
    expect(answer.status).toBe(404);
    expect(RpcAnswer.parse(json(answer))).toMatchObject({
      id: "x",
      error: { code: -32602, message: expect.stringContaining('"nobody"') },
    });
  });

  test("is 413 for a body above 10 MB, with and without a length, and the connection stays usable", async () => {
    const framings: Record<string, string>[] = [{}, { "transfer-encoding": "chunked" }];
    const body = call("message/send", { message: { parts: [{ text: "a".repeat(11 * 1024 * 1024) }] } });
    for (const headers of framings) {
      const answer = await raw(at("words"), { body, headers });
      expect([answer.status, json<RpcResponse>(answer).error?.code]).toEqual([413, -32600]);
      expect((await raw(at("words"), { method: "GET" })).status).toBe(200);
    }
  });

  test.each(["PUT", "PATCH", "DELETE"])("is 405 for %s, with the allowed methods", async (method) => {
    const answer = await raw(at("words"), { method });
    expect([answer.status, answer.headers.allow]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
  });

  test("answers a preflight request with the headers of A2A", async () => {
    const requested = "content-type, authorization, x-api-key, a2a-version, a2a-extensions, x-a2a-extensions, accept";
    const headers = { origin: "http://localhost:3000", "access-control-request-headers": requested };
    const answer = await raw(at("words"), { method: "OPTIONS", headers });
    expect([answer.status, answer.headers["access-control-allow-headers"]]).toEqual([204, requested]);
  });

  test("ignores a slash at the end, without a redirect", async () => {
    expect((await raw(`${at("words")}/`, { body: call("tasks/get", { id: "a" }) })).status).toBe(200);
  });
});

describe("without push notifications and extended cards", () => {
  test.each([
    ["tasks/pushNotificationConfig/set", -32003],
    ["tasks/pushNotificationConfig/get", -32003],
    ["tasks/pushNotificationConfig/list", -32003],
    ["tasks/pushNotificationConfig/delete", -32003],
    ["CreateTaskPushNotificationConfig", -32003],
    ["GetTaskPushNotificationConfig", -32003],
    ["ListTaskPushNotificationConfigs", -32003],
    ["DeleteTaskPushNotificationConfig", -32003],
  ])("%s is refused with %i", async (method, code) => {
    expect(await codeOf(request("loop", method, { id: "a" }))).toBe(code);
  });

  test("the extended card is refused without parameters too, and so is a push configuration in a send", async () => {
    expect(await codeOf(request("loop", "GetExtendedAgentCard"))).toBe(-32004);
    expect(await codeOf(request("loop", "agent/getAuthenticatedExtendedCard"))).toBe(-32007);
    const configuration = { pushNotificationConfig: { url: "https://a.example" } };
    expect(await codeOf(request("loop", "message/send", { message: { parts }, configuration }))).toBe(-32003);
  });
});
