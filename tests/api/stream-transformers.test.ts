/** Compares stream transformers, read with the official client, with the same graph in process. */
import { resolve } from "node:path";
import { type GraphRunStream, MemorySaver } from "@langchain/langgraph";
import { Client } from "@langchain/langgraph-sdk";
import { beforeAll, expect, test } from "vitest";
import { useServer } from "../support/use-server.ts";
import { counted } from "./apps/nested/graphs.mjs";

const server = useServer({ app: resolve(import.meta.dirname, "apps/nested") });
let client: Client;
beforeAll(() => {
  client = new Client({ apiUrl: server.url, apiKey: null });
});

const say = (content: string) => ({ messages: [{ role: "user", content }] });

async function listed(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Replaces the random ids of tasks. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replace(/:[0-9a-f-]{36}/g, ":id"));

type Extension = AsyncIterable<unknown> & PromiseLike<unknown>;
type Extensions = { [name in "counted" | "total" | "own" | "kept"]: Extension };

async function inProcess(content: string): Promise<{ counted: unknown[]; total: unknown }> {
  const graph = counted.withConfig({});
  graph.checkpointer = new MemorySaver();
  const config = { version: "v3" as const, configurable: { thread_id: "t" } };
  const run = (await graph.streamEvents(say(content), config)) as unknown as GraphRunStream<object, Extensions>;
  return { counted: await listed(run.extensions.counted), total: await run.extensions.total };
}

test("thread.extensions has what a transformer sends, as in process", async () => {
  const thread = client.threads.stream({ assistantId: "counted" });
  const extensions = thread.extensions as unknown as Extensions;
  const { counted, total } = extensions;
  await thread.run.start({ input: say("hello") });
  const actual = { counted: await listed(counted), total: await total };
  expect(plain(actual)).toEqual(plain(await inProcess("hello")));
  expect(plain(actual)).toEqual({
    counted: [{ text: "one two", namespace: ["model:id"] }],
    total: {
      methods: expect.arrayContaining(["custom", "lifecycle", "messages", "tasks", "updates", "values"]),
      custom: 1,
    },
  });
  expect(await listed(extensions.own)).toEqual(["by hand"]);
  expect(await listed(extensions.kept)).toEqual([]);
  await thread.close();
});

test("a run whose transformer fails, or never gives its last value, succeeds anyway", async () => {
  for (const [assistantId, content, line] of [
    ["counted", "break", "A stream transformer of graph counted failed: Error: cannot count that"],
    ["waits", "hello", "A stream transformer of graph waits gave no last value within 10 s"],
  ] as const) {
    const thread = client.threads.stream({ assistantId });
    const { run_id } = await thread.run.start({ input: say(content) });
    expect(await thread.output).toMatchObject({ messages: [{ content }, { content: "one two" }] });
    await thread.close();
    expect(await client.runs.get(thread.threadId, run_id ?? "")).toMatchObject({ status: "success" });
    await expect.poll(() => server.output()).toContain(line);
  }
  expect(server.output()).not.toContain("Unhandled rejection");
}, 30_000);

test("streams of the older API have no events of transformers", async () => {
  const events = await listed(client.runs.stream(null, "counted", { input: say("hello"), streamMode: ["custom"] }));
  expect(events).toMatchObject([{ event: "metadata" }, { event: "custom", data: { name: "own" } }]);
});
