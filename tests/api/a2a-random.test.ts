import { resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { methods } from "../../lib/protocol/a2a.ts";
import { RpcAnswer } from "../protocol/a2a-schemas.ts";
import { json, raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const KEY = "a key of some length";
const open = useServer({ app: resolve(import.meta.dirname, "apps/one") });
const guarded = useServer({ app: resolve(import.meta.dirname, "apps/one"), env: { GRAPHLIB_API_KEY: KEY } });

const method = fc.oneof(fc.constantFrom(...methods.keys()), fc.constant("toString"));
/** A placeholder for the id of an existing task. */
const KNOWN = "known-task";
const taskId = fc.oneof(fc.uuid(), fc.constant(KNOWN));
const noise = fc.jsonValue({ maxDepth: 2 });
const part = fc.oneof(
  fc.record({ kind: fc.constant("text"), text: fc.string() }),
  fc.record({ text: fc.string(), mediaType: fc.constantFrom("text/plain", "application/x-other", "") }),
  fc.record({ kind: fc.constant("data"), data: noise }),
  fc.record({ raw: fc.base64String(), url: fc.webUrl() }, { requiredKeys: [] }),
  noise,
);
const some = <T>(likely: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: likely }, { weight: 1, arbitrary: noise });
const message = fc.record(
  {
    kind: some(fc.constant("message")),
    role: some(fc.constantFrom("user", "ROLE_USER")),
    messageId: some(fc.string()),
    contextId: some(fc.string()),
    taskId: some(taskId),
    parts: some(fc.array(part, { maxLength: 3 })),
    metadata: some(fc.dictionary(fc.string(), noise)),
  },
  { requiredKeys: ["parts"] },
);
const noisy = fc.record(
  {
    message: some(message),
    id: some(taskId),
    taskId: some(taskId),
    historyLength: some(fc.integer()),
    pageSize: some(fc.integer({ min: -1, max: 120 })),
    pageToken: some(fc.base64String()),
    status: some(fc.constantFrom("completed", "TASK_STATE_WORKING", "TASK_STATE_UNSPECIFIED", "lost")),
    statusTimestampAfter: some(fc.date({ noInvalidDate: true }).map((date) => date.toISOString())),
    pushNotificationConfig: some(fc.record({ url: some(fc.webUrl()) })),
    configuration: some(
      fc.record({ blocking: some(fc.boolean()), historyLength: some(fc.nat()) }, { requiredKeys: [] }),
    ),
    thread: some(fc.record({ threadId: some(fc.string()) })),
    metadata: noise,
    "": noise,
  },
  { requiredKeys: [] },
);
/** Parameters that are valid for a send and for a get. */
const sound = fc.record({
  id: taskId,
  message: fc.record({
    role: fc.constantFrom("user", "ROLE_USER"),
    messageId: fc.uuid(),
    contextId: fc.stringMatching(/^[ -~]{1,40}$/),
    parts: fc.array(fc.record({ text: fc.string() }), { minLength: 1, maxLength: 3 }),
  }),
});
const params = fc.oneof({ weight: 2, arbitrary: noisy }, { weight: 1, arbitrary: sound });
const body = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record(
        {
          jsonrpc: some(fc.constant("2.0")),
          id: some(fc.oneof(fc.integer(), fc.string())),
          method: some(method),
          params: some(params),
        },
        { requiredKeys: ["jsonrpc", "method"] },
      )
      .map((call) => JSON.stringify(call)),
  },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string() },
);
const headers = fc.record(
  {
    "a2a-version": fc.constantFrom("", "0.3", "1.0", "1.0.0", "0.5", "x"),
    "content-type": fc.constantFrom("application/json", "application/a2a+json", "application/json; a=b", "text/plain"),
    accept: fc.constantFrom("*/*", "text/event-stream", "application/json"),
  },
  { requiredKeys: [] },
);

const sendParams = { message: { messageId: "m", role: "user", parts: [{ text: "a" }] } };
/** Calls for answers that random bodies cause rarely or never. */
const certain: [string, object][] = [
  ["message/send", sendParams],
  ["SendStreamingMessage", sendParams],
  ["GetTask", { id: "no-task" }],
  ["tasks/cancel", { id: KNOWN }],
  ["SubscribeToTask", { id: KNOWN }],
  ["tasks/pushNotificationConfig/get", { id: KNOWN }],
  ["agent/getAuthenticatedExtendedCard", {}],
];

interface RpcResponse {
  id: unknown;
  error?: { code: number };
}

const CODES = [-32700, -32600, -32601, -32602, -32001, -32002, -32003, -32004, -32005, -32007, -32009];

/** Returns the id that the answer to this body must carry. */
function idOf(text: string): unknown {
  try {
    const call: unknown = JSON.parse(text);
    const id = typeof call === "object" && call !== null && "id" in call ? call.id : null;
    return typeof id === "string" || Number.isSafeInteger(id) ? id : null;
  } catch {
    return null;
  }
}

test(
  "any body gets valid answers with its id and HTTP 200, and never an internal error",
  { timeout: 120_000 },
  async () => {
    const seen = new Set<string>();
    const sent = await raw(`${open.url}/a2a/only`, {
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "message/send",
        params: { message: { parts: [{ text: "a" }] } },
      }),
    });
    const known = json<{ result: { id: string } }>(sent).result.id;
    const check = async (drawn: string, given: Record<string, string>): Promise<void> => {
      const text = drawn.replaceAll(KNOWN, known);
      const answer = await raw(`${open.url}/a2a/only`, { method: "POST", body: text, headers: given });
      expect(answer.status).toBe(200);
      const stream = answer.headers["content-type"] === "text/event-stream";
      const frames = stream
        ? answer.text.split("\n").filter((line) => line.startsWith("data: "))
        : [`data: ${answer.text}`];
      expect(frames.length).toBeGreaterThan(0);
      for (const frame of frames) {
        const { id, error } = RpcAnswer.parse(json({ text: frame.slice("data: ".length) })) as RpcResponse;
        expect(id).toBe(idOf(text));
        if (error) expect(CODES).toContain(error.code);
        seen.add(stream ? "stream" : String(error?.code ?? "result"));
      }
    };
    for (const [name, given] of certain) {
      await check(JSON.stringify({ jsonrpc: "2.0", id: 1, method: name, params: given }), {});
    }
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(body, headers), { minLength: 10, maxLength: 10 }), async (calls) => {
        await Promise.all(calls.map(([text, given]) => check(text, given)));
      }),
      { numRuns: 150, endOnFailure: true },
    );
    // Every kind of answer was seen, so the bodies are neither all valid nor all invalid.
    expect([...seen].toSorted()).toEqual(["result", "stream", ...CODES.map(String)].toSorted());
    expect(open.output()).not.toMatch(/unhandled|uncaught|internal error/i);
  },
);

test("without the key, any body gets a 401 in JSON-RPC that names the header", async () => {
  await fc.assert(
    fc.asyncProperty(body, headers, async (text, given) => {
      const answer = await raw(`${guarded.url}/a2a/only`, { method: "POST", body: text, headers: given });
      expect([answer.status, typeof answer.headers["www-authenticate"]]).toEqual([401, "string"]);
      expect(RpcAnswer.parse(json(answer))).toMatchObject({ id: null, error: { code: -32000 } });
    }),
    { numRuns: 50 },
  );
  const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: "a" } });
  const answer = await raw(`${guarded.url}/a2a/only`, { body: call, headers: { "x-api-key": KEY } });
  expect(json(answer)).toMatchObject({ id: 1, error: { code: -32001 } });
});
