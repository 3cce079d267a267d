/** Copies of threads up to a checkpoint, against the production server. */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { describe, expect, test } from "vitest";
import type { Thread } from "../../lib/protocol/threads.ts";
import { json, raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

describe("a copy of a thread", () => {
  const server = useServer({ app: resolve(import.meta.dirname, "apps/modes") });
  const client = (): Client => new Client({ apiUrl: server.url, apiKey: null });
  const say = (content: string) => ({ input: { messages: [{ role: "user", content }] } });
  const copy = (thread: string, body?: object) =>
    raw(`${server.url}/threads/${thread}/copy`, body ? { body: JSON.stringify(body) } : { method: "POST" });
  const contents = (values: unknown) =>
    (values as { messages: { content: string }[] }).messages.map((one) => one.content);
  const idsOf = async (thread: string) =>
    (await client().threads.getHistory(thread, { limit: 100 })).map((state) => state.checkpoint.checkpoint_id);

  test("up to a checkpoint has the states until then and none after it, and goes on independently", async () => {
    const { thread_id } = await client().threads.create();
    for (const words of ["one", "two", "three"]) await client().runs.wait(thread_id, "chat", say(words));
    const history = await client().threads.getHistory(thread_id, { limit: 100 });
    const first = history.findLast((state) => state.next.length === 0 && contents(state.values).length === 2);
    const checkpoint_id = first?.checkpoint.checkpoint_id;
    const own = randomUUID();
    const copied = json<Thread>(await copy(thread_id, { checkpoint_id, thread_id: own.toUpperCase() }));
    expect(copied).toMatchObject({ thread_id: own, status: "idle", waiting: false, metadata: { thread_id: own } });
    expect(contents(copied.values)).toEqual(["one", "Hi!"]);
    expect(await idsOf(own)).toEqual(
      history.slice(history.indexOf(first as never)).map((one) => one.checkpoint.checkpoint_id),
    );
    const values = await client().runs.wait(own, "chat", say("other"));
    expect(contents(values)).toEqual(["one", "Hi!", "other", "Hi!"]);
    expect(contents((await client().threads.getState(thread_id)).values)).toHaveLength(6);
    expect(await copy(thread_id, { thread_id: own })).toMatchObject({ status: 409, text: "Thread already exists" });
  });

  test("at a step in between is about to take the next one, and asks again what was asked there", async () => {
    const { thread_id } = await client().threads.create();
    await client().runs.wait(thread_id, "ask", say("hello"));
    const [asking] = await client().threads.getHistory(thread_id);
    await client().runs.wait(thread_id, "ask", { command: { resume: "yes" } });
    const { checkpoint_id } = asking?.checkpoint ?? {};
    const copied = json<Thread>(await copy(thread_id, { checkpoint_id }));
    expect(copied).toMatchObject({ status: "interrupted", waiting: true, interrupts: {} });
    const state = await client().threads.getState(copied.thread_id);
    expect(state).toMatchObject({ next: asking?.next, checkpoint: { checkpoint_id } });
    expect(await client().runs.wait(copied.thread_id, "ask", { input: null })).toMatchObject({
      __interrupt__: [{ value: { q: "ok?" } }],
    });
    const again = await client().runs.wait(copied.thread_id, "ask", { command: { resume: "no" } });
    expect(again).not.toHaveProperty("__interrupt__");
  });

  test("at the newest checkpoint is a whole copy, with its open question", async () => {
    const { thread_id } = await client().threads.create();
    await client().runs.wait(thread_id, "ask", say("hello"));
    const { checkpoint } = await client().threads.getState(thread_id);
    const { interrupts } = await client().threads.get(thread_id);
    const whole = json<Thread>(await copy(thread_id, { checkpoint_id: checkpoint.checkpoint_id }));
    expect(whole).toMatchObject({ waiting: true, interrupts });
    expect(await client().threads.copy(thread_id)).toMatchObject({ status: "interrupted", interrupts });
  });

  test("is not made of what is not there", async () => {
    const { thread_id } = await client().threads.create();
    await client().runs.wait(thread_id, "chat", say("one"));
    const missing = await copy(thread_id, { checkpoint_id: "1f1e78ca-2e0b-6870-8001-0ec8ab982610" });
    expect(missing.status).toBe(404);
    expect(missing.text).toContain("Checkpoint 1f1e78ca-2e0b-6870-8001-0ec8ab982610 not found");
    expect((await copy(randomUUID(), { checkpoint_id: "x" })).status).toBe(404);
    expect((await copy(thread_id, { thread_id: "mine" })).status).toBe(422);
    expect((await copy(thread_id, { checkpoint_id: 7 })).status).toBe(422);
  });
});
