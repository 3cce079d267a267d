/** Sends random commands and stream requests: each is answered, and none harms the server. */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { json, raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";
import { commandOf, readEvents, runIs } from "./thread-events.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/modes") });
const known = randomUUID();
beforeAll(async () => {
  await commandOf(server.url, known, "run.start", { assistant_id: "ask", input: { messages: [] } });
  await readEvents(server.url, known, { channels: ["lifecycle"] }, runIs("interrupted"));
});

const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom("ask", "chat", "", null, -1, 0, [[]], ["a:1"], [["child"]], { configurable: { checkpoint_id: "x" } }),
);
const names =
  "assistant_id input config metadata multitaskStrategy namespace interrupt_id response responses keys run_id";
const params = fc.oneof(fc.dictionary(fc.constantFrom(...names.split(" ")), value, { maxKeys: 5 }), fc.jsonValue());
const methods = [
  "run.start",
  "input.respond",
  "state.get",
  "agent.getTree",
  "subscription.subscribe",
  "state.fork",
  "toString",
  "__proto__",
  "",
];
const command = fc.oneof(
  fc.record({ id: fc.nat(), method: fc.constantFrom(...methods), params }).map((one) => JSON.stringify(one)),
  fc.json(),
  fc.string(),
);
const path = fc.constantFrom(known, randomUUID(), randomUUID(), "none", "%00");

test("a command gets 200 with an answer of the protocol, or 400 or 422", { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(path, command), { minLength: 10, maxLength: 10 }), async (all) => {
      const sent = all.map(([thread, body]) =>
        raw(`${server.url}/threads/${thread}/commands`, { method: "POST", body }),
      );
      for (const answer of await Promise.all(sent)) {
        expect([200, 400, 422]).toContain(answer.status);
        if (answer.status !== 200) continue;
        const { type, error, message } = json<{ type: string; error?: string; message?: string }>(answer);
        expect(["success", "error"]).toContain(type);
        if (type === "error") expect([typeof error, typeof message]).toEqual(["string", "string"]);
        expect(answer.text).not.toMatch(/node_modules|\.ts:\d|at async/);
      }
    }),
    { numRuns: 100, endOnFailure: true },
  );
  expect((await raw(`${server.url}/ok`)).status).toBe(200);
  expect(server.output()).not.toMatch(/unhandled|uncaught/i);
});

const request = fc.record(
  {
    channels: fc.oneof(
      fc.array(fc.constantFrom("values", "custom:x", "", "__proto__"), { maxLength: 3 }),
      fc.jsonValue(),
    ),
    namespaces: value,
    depth: value,
    since: value,
  },
  { requiredKeys: ["channels"] },
);

test("a stream is opened and left, or is refused with 422", { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(path, request), { minLength: 10, maxLength: 10 }), async (all) => {
      const statuses = await Promise.all(
        all.map(async ([thread, body]) => {
          const left = new AbortController();
          const response = await fetch(`${server.url}/threads/${thread}/stream/events`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
            signal: left.signal,
          });
          left.abort();
          return response.status;
        }),
      );
      for (const status of statuses) expect([200, 422]).toContain(status);
    }),
    { numRuns: 50, endOnFailure: true },
  );
  expect((await raw(`${server.url}/ok`)).status).toBe(200);
  expect(server.output()).not.toMatch(/unhandled|uncaught|MaxListeners/i);
});
