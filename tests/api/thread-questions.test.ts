/** Tests the interrupts of a thread over several answers, by the older API. */
import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { beforeAll, expect, test } from "vitest";
import { useServer } from "../support/use-server.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/gated") });
let client: Client;
beforeAll(() => {
  client = new Client({ apiUrl: server.url, apiKey: null });
});

/** Returns a thread's status and interrupts, and checks that its state has the same ones. */
async function questionsOf(threadId: string): Promise<unknown[]> {
  const { interrupts, status } = await client.threads.get(threadId);
  const { next, tasks } = await client.threads.getState(threadId);
  const pending = Object.values(interrupts).flat();
  expect(tasks.flatMap((task) => task.interrupts)).toEqual(pending);
  expect(next.length > 0).toBe(status === "interrupted");
  return [status, ...pending.map(({ value }) => value).toSorted()];
}

test.each([
  ["by its id", (id: string, text: string): unknown => ({ [id]: text })],
  ["alone", (_: string, text: string): unknown => text],
])("a node that asks again after it was answered %s is interrupted again", async (_, resumeOf) => {
  const { thread_id } = await client.threads.create();
  await client.runs.wait(thread_id, "twice", { input: { messages: [] } });
  expect(await questionsOf(thread_id)).toEqual(["interrupted", "first?"]);
  const [first] = Object.values((await client.threads.get(thread_id)).interrupts).flat();
  await client.runs.wait(thread_id, "twice", { command: { resume: resumeOf(first?.id ?? "", "one") } });
  expect(await questionsOf(thread_id)).toEqual(["interrupted", "second?"]);
  await client.runs.wait(thread_id, "twice", { command: { resume: resumeOf(first?.id ?? "", "two") } });
  expect(await questionsOf(thread_id)).toEqual(["idle"]);
  const { values } = await client.threads.getState<{ messages: { content: string }[] }>(thread_id);
  expect(values.messages.map(({ content }) => content)).toEqual(["one two"]);
});

test("an answered question is closed while others stay open", async () => {
  const { thread_id } = await client.threads.create();
  await client.runs.wait(thread_id, "both", { input: { messages: [] } });
  expect(await questionsOf(thread_id)).toEqual(["interrupted", "left?", "right?"]);
  const pending = Object.values((await client.threads.get(thread_id)).interrupts).flat();
  const left = pending.find(({ value }) => value === "left?")?.id ?? "";
  await client.runs.wait(thread_id, "both", { command: { resume: { [left]: "L" } } });
  expect(await questionsOf(thread_id)).toEqual(["interrupted", "right?"]);
  const right = pending.find(({ value }) => value === "right?")?.id ?? "";
  await client.runs.wait(thread_id, "both", { command: { resume: { [right]: "R" } } });
  expect(await questionsOf(thread_id)).toEqual(["idle"]);
});
