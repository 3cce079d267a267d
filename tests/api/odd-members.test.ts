/** Tests members with names that JavaScript objects use themselves. JSON may have them like any other. */
import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../lib/protocol/json.ts";
import { json, raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/modes") });

const ODD = '{"__proto__":{"a":[1]},"constructor":{"prototype":2},"toString":"x","hasOwnProperty":null}';
const send = async (path: string, body: string, method = "POST") => {
  const answer = await raw(server.url + path, { method, body });
  expect([path, answer.status, answer.text].join(" ")).toMatch(/^\S+ 20[04]/);
  return answer.text === "" ? {} : json<JsonObject>(answer);
};
/** `toEqual` ignores a member named `__proto__`, so texts are compared. */
const text = (value: unknown): string => JSON.stringify(value);
const expectOdd = (value: unknown): void => expect(text(value)).toContain(ODD.slice(1, -1));

test("metadata of a thread keeps them, is found by them, and is updated with them", async () => {
  const thread = await send("/threads", `{"metadata":${ODD}}`);
  expectOdd(thread.metadata);
  expectOdd(await send("/threads/search", `{"metadata":${ODD}}`));
  expect(text(await send("/threads/search", '{"metadata":{"__proto__":{"a":[2]}}}'))).toBe("[]");
  expectOdd((await send(`/threads/${String(thread.thread_id)}`, '{"metadata":{"more":1}}', "PATCH")).metadata);
  const changed = await send(`/threads/${String(thread.thread_id)}`, '{"metadata":{"__proto__":7}}', "PATCH");
  expect(text(changed.metadata)).toContain('"__proto__":7');
  const copy = await send(`/threads/${String(thread.thread_id)}/copy`, "");
  expect(text(copy.metadata)).toContain('"__proto__":7');
});

test("an assistant keeps them in configuration, context and metadata, over its versions", async () => {
  const body = `{"graph_id":"chat","config":{"configurable":${ODD}},"context":${ODD},"metadata":${ODD}}`;
  const made = await send("/assistants", body);
  for (const part of [made.context, made.metadata, (made.config as JsonObject).configurable]) expectOdd(part);
  const changed = await send(
    `/assistants/${String(made.assistant_id)}`,
    '{"name":"other","metadata":{"b":1}}',
    "PATCH",
  );
  for (const part of [changed.context, changed.metadata, (changed.config as JsonObject).configurable]) expectOdd(part);
  expectOdd(await send("/assistants/search", `{"metadata":${ODD}}`));
});

test("a cron keeps them in its payload", async () => {
  const cron = await send(
    "/runs/crons",
    `{"assistant_id":"chat","schedule":"0 0 1 1 *","input":${ODD},"context":${ODD},"metadata":${ODD}}`,
  );
  const payload = cron.payload as JsonObject;
  for (const part of [cron.metadata, payload.input, payload.context]) expectOdd(part);
  expectOdd(await send("/runs/crons/search", `{"metadata":${ODD}}`));
});

test("a run keeps them in input, configuration, context and metadata, and its graph receives them", async () => {
  const thread = await send("/threads", "{}");
  const path = `/threads/${String(thread.thread_id)}/runs`;
  const message = `{"role":"user","content":[{"type":"text","text":"hi","extra":${ODD}}]}`;
  const body = `{"assistant_id":"seen","input":{"messages":[${message}],"seen":${ODD}},"context":${ODD},"metadata":${ODD},"config":{"configurable":${ODD}}}`;
  const { kwargs, metadata } = await send(path, body);
  const { input, context, config } = kwargs as { input: JsonObject; context: JsonObject; config: JsonObject };
  for (const part of [input.seen, context, metadata, config.configurable]) expectOdd(part);
  const { seen } = await send(`${path}/wait`, body);
  expectOdd((seen as JsonObject).context);
});

test("a thread's state keeps them, in values and in every list of values", async () => {
  const thread = await send("/threads", "{}");
  const path = `/threads/${String(thread.thread_id)}`;
  await send(`${path}/runs/wait`, `{"assistant_id":"seen","input":{"seen":null}}`);
  await send(`${path}/state`, `{"values":{"seen":${ODD}}}`);
  const state = await raw(`${server.url}${path}/state`);
  expectOdd((json<JsonObject>(state).values as JsonObject).seen);
  expectOdd(((await send("/threads/search", `{"values":{"seen":${ODD}}}`)) as unknown as JsonObject[])[0]?.values);
  await send(`${path}/state`, `{"values":[{"seen":1},{"seen":${ODD}}]}`);
  expectOdd((json<JsonObject>(await raw(`${server.url}${path}`)).values as JsonObject).seen);
  expectOdd(await send(`${path}/history`, "{}"));
});

test("commands of the thread streaming protocol keep them", async () => {
  const thread = await send("/threads", "{}");
  const path = `/threads/${String(thread.thread_id)}`;
  const params = `{"assistant_id":"seen","input":{"seen":${ODD}},"metadata":${ODD},"config":{"configurable":${ODD}}}`;
  await send(`${path}/commands`, `{"id":1,"method":"run.start","params":${params}}`);
  const [run = {}] = json<JsonObject[]>(await raw(`${server.url}${path}/runs`));
  expectOdd(run.metadata);
  const { input, config } = run.kwargs as { input: JsonObject; config: JsonObject };
  for (const part of [input.seen, config.configurable]) expectOdd(part);
});
