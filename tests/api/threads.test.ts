import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { raw } from "../support/raw.ts";
import { startServer } from "../support/server.ts";
import { useServer } from "../support/use-server.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/modes") });
let client: Client;
beforeAll(() => {
  client = new Client({ apiUrl: server.url, apiKey: null });
});

const unknown = "01234567-89ab-7def-8123-456789abcdef";
const say = (content: string) => ({ messages: [{ role: "user", content }] });
interface Values {
  messages: { type: string; content: string; id: string }[];
}

describe("threads", () => {
  test("are created with or without an id, once, and found again", async () => {
    const thread = await client.threads.create({ metadata: { topic: "tea" }, graphId: "chat" });
    expect(thread).toMatchObject({ status: "idle", values: null, metadata: { topic: "tea", graph_id: "chat" } });
    expect(await client.threads.get(thread.thread_id)).toEqual(thread);
    const again = { threadId: thread.thread_id, metadata: { other: 1 } };
    await expect(client.threads.create(again)).rejects.toThrow("HTTP 409: Thread already exists");
    expect(await client.threads.create({ ...again, ifExists: "do_nothing" })).toEqual(thread);
    await expect(client.threads.get(unknown)).rejects.toThrow(`HTTP 404: Thread with ID ${unknown} not found`);
  });

  test("are searched, counted, updated, copied, pruned and deleted", async () => {
    const team = crypto.randomUUID();
    const threads = await Promise.all([1, 2, 3].map((n) => client.threads.create({ metadata: { team, n } })));
    expect(await client.threads.search({ metadata: { team }, limit: 2 })).toHaveLength(2);
    expect(await client.threads.count({ metadata: { team } })).toBe(3);
    const [first, second, third] = threads.map((thread) => thread.thread_id);
    const changed = await client.threads.update(first ?? "", { metadata: { n: 9 } });
    expect(changed.metadata).toEqual({ team, n: 9 });
    const copy = await client.threads.copy(second ?? "");
    expect(copy.metadata).toMatchObject({ team, n: 2, thread_id: copy.thread_id });
    await client.threads.delete(first ?? "");
    await expect(client.threads.get(first ?? "")).rejects.toThrow("404");
    expect(await client.threads.prune([third ?? "", unknown])).toEqual({ pruned_count: 1 });
    expect(await client.threads.count({ metadata: { team } })).toBe(2);
  });

  test("a page has the number of all and the next offset", async () => {
    const team = crypto.randomUUID();
    for (let n = 0; n < 3; n++) await client.threads.create({ metadata: { team } });
    const headers = { "content-type": "application/json" };
    const search = async (page: object) => {
      const body = JSON.stringify({ metadata: { team }, ...page });
      const answer = await fetch(`${server.url}/threads/search`, { method: "POST", headers, body });
      return [answer.headers.get("x-pagination-total"), answer.headers.get("x-pagination-next")];
    };
    expect(await search({ limit: 2 })).toEqual(["3", "2"]);
    expect(await search({ limit: 2, offset: 2 })).toEqual(["3", null]);
  });

  test("a patch with return=minimal is 204", async () => {
    const { thread_id } = await client.threads.create();
    const body = JSON.stringify({ metadata: { a: 1 } });
    const headers = { prefer: "return=minimal" };
    const answer = await raw(`${server.url}/threads/${thread_id}`, { method: "PATCH", headers, body });
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect((await client.threads.get(thread_id)).metadata).toEqual({ a: 1 });
  });

  test("select and extract return the requested members", async () => {
    const { thread_id } = await client.threads.create();
    await client.runs.wait(thread_id, "chat", { input: say("hello") });
    const [found] = await client.threads.search({
      ids: [thread_id],
      select: ["thread_id", "status"],
      extract: { last: "values.messages[-1].content", none: "values.nothing[0]" },
    });
    expect(found).toEqual({ thread_id, status: "idle", extracted: { last: "Hi!", none: null } });
  });
});

describe("state of a thread", () => {
  test("a thread without runs is empty", async () => {
    const { thread_id } = await client.threads.create();
    expect(await client.threads.getState(thread_id)).toMatchObject({
      values: {},
      next: [],
      tasks: [],
      checkpoint: null,
    });
    expect(await client.threads.getHistory(thread_id)).toEqual([]);
    await expect(client.threads.updateState(thread_id, { values: {} })).rejects.toThrow("has no graph yet");
    await expect(client.threads.getState(unknown)).rejects.toThrow("HTTP 404");
  });

  test("a conversation continues, and the thread shows it", async () => {
    const { thread_id } = await client.threads.create();
    await client.runs.wait(thread_id, "chat", { input: say("one") });
    const values = (await client.runs.wait(thread_id, "chat", { input: say("two") })) as unknown as Values;
    expect(values.messages.map((message) => message.content)).toEqual(["one", "Hi!", "two", "Hi!"]);
    const state = await client.threads.getState<Values>(thread_id);
    expect(state.values).toEqual(values);
    expect(state.next).toEqual([]);
    expect(state.metadata).toMatchObject({ source: "loop", graph_id: "chat" });
    expect(await client.threads.get(thread_id)).toMatchObject({
      status: "idle",
      values,
      metadata: { graph_id: "chat", assistant_id: expect.any(String) as string },
    });
  });

  test("history is newest first, paged by limit and before, filtered by metadata", async () => {
    const { thread_id } = await client.threads.create();
    await client.runs.wait(thread_id, "steps", { input: { n: 80 } });
    const all = await client.threads.getHistory<{ n: number }>(thread_id, { limit: 100 });
    expect(all.map((state) => state.values.n ?? 0)).toEqual([102, 92, 91, 81, 80, 0]);
    const ids = all.map((state) => state.checkpoint.checkpoint_id);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const page = async (options: object) =>
      (await client.threads.getHistory(thread_id, options)).map((state) => ids.indexOf(state.checkpoint.checkpoint_id));
    expect(await page({ limit: 2 })).toEqual([0, 1]);
    const before = { configurable: { checkpoint_id: ids[1] } };
    expect(await page({ limit: 2, before })).toEqual([2, 3]);
    expect(await page({ metadata: { step: 1 } })).toEqual([3]);
    const answer = await fetch(`${server.url}/threads/${thread_id}/history?limit=1&before=${ids[2]}`);
    expect(((await answer.json()) as { checkpoint: { checkpoint_id: string } }[])[0]?.checkpoint.checkpoint_id).toBe(
      ids[3],
    );
  });

  test("an updated state is like a node's result, and a fork continues from its checkpoint", async () => {
    const { thread_id } = await client.threads.create();
    await client.runs.wait(thread_id, "chat", { input: say("one") });
    const before = await client.threads.getState<Values>(thread_id);
    await client.threads.updateState(thread_id, { values: say("by hand"), asNode: "model" });
    const after = await client.threads.getState<Values>(thread_id);
    expect(after.values.messages.map((message) => message.content)).toEqual(["one", "Hi!", "by hand"]);
    expect((await client.threads.get(thread_id)).values).toEqual(after.values);
    const at = { checkpointId: before.checkpoint.checkpoint_id ?? "" };
    const forked = (await client.runs.wait(thread_id, "chat", { input: say("fork"), ...at })) as unknown as Values;
    expect(forked.messages.map((message) => message.content)).toEqual(["one", "Hi!", "fork", "Hi!"]);
    const then = await client.threads.getState<Values>(thread_id, before.checkpoint.checkpoint_id ?? "");
    expect(then.values).toEqual(before.values);
    await expect(client.threads.getState(thread_id, unknown)).rejects.toThrow(`Checkpoint ${unknown} not found`);
    await expect(client.runs.wait(thread_id, "chat", { input: say("x"), checkpointId: unknown })).rejects.toThrow(
      `Checkpoint ${unknown} not found`,
    );
  });

  test("a thread can be created with supersteps", async () => {
    const thread = await client.threads.create({
      graphId: "chat",
      supersteps: [
        { updates: [{ values: say("old question"), asNode: "__start__" }] },
        { updates: [{ values: { messages: [{ role: "ai", content: "old answer" }] }, asNode: "model" }] },
      ],
    });
    expect((thread.values as unknown as Values).messages.map((one) => one.content)).toEqual([
      "old question",
      "old answer",
    ]);
    const next = (await client.runs.wait(thread.thread_id, "chat", { input: say("new") })) as unknown as Values;
    expect(next.messages).toHaveLength(4);
  });

  test("a copy has the history and changes on its own", async () => {
    const { thread_id } = await client.threads.create();
    await client.runs.wait(thread_id, "chat", { input: say("one") });
    const copy = await client.threads.copy(thread_id);
    await client.runs.wait(copy.thread_id, "chat", { input: say("two") });
    expect((await client.threads.getState<Values>(copy.thread_id)).values.messages).toHaveLength(4);
    expect((await client.threads.getState<Values>(thread_id)).values.messages).toHaveLength(2);
  });
});

describe("a graph with an interrupt", () => {
  const start = async () => {
    const { thread_id } = await client.threads.create();
    const values = await client.runs.wait(thread_id, "ask", { input: say("go") });
    return { thread_id, values: values as unknown as { __interrupt__: { id: string; value: unknown }[] } };
  };

  test("waits on the thread, and is resumed with the answer", async () => {
    const { thread_id, values } = await start();
    expect(values.__interrupt__).toMatchObject([{ value: { q: "ok?" } }]);
    const thread = await client.threads.get(thread_id);
    expect(thread.status).toBe("interrupted");
    expect(Object.values(thread.interrupts)).toMatchObject([[{ value: { q: "ok?" } }]]);
    const state = await client.threads.getState(thread_id);
    expect(state).toMatchObject({ next: ["ask"], tasks: [{ name: "ask", interrupts: [{ value: { q: "ok?" } }] }] });
    const done = await client.runs.wait(thread_id, "ask", { command: { resume: "yes" } });
    expect((done as unknown as Values).messages.at(-1)?.content).toBe("yes");
    expect(await client.threads.get(thread_id)).toMatchObject({ status: "idle", interrupts: {} });
  });

  test("survives a killed server", async () => {
    const own = await startServer({ app: resolve(import.meta.dirname, "apps/modes") });
    const before = new Client({ apiUrl: own.url, apiKey: null });
    const { thread_id } = await before.threads.create();
    await before.runs.wait(thread_id, "ask", { input: say("go") });
    await own.crash();
    const again = await startServer({ app: resolve(import.meta.dirname, "apps/modes"), home: own.home });
    try {
      const after = new Client({ apiUrl: again.url, apiKey: null });
      const done = await after.runs.wait(thread_id, "ask", { command: { resume: "later" } });
      expect((done as unknown as Values).messages.at(-1)?.content).toBe("later");
    } finally {
      await again.stop();
    }
  });

  test("a resume of a thread that is not interrupted is refused, and changes nothing", async () => {
    const { thread_id } = await client.threads.create();
    await client.runs.wait(thread_id, "chat", { input: say("one") });
    const before = await client.threads.getHistory(thread_id);
    await expect(client.runs.wait(thread_id, "chat", { command: { resume: "x" } })).rejects.toThrow(
      "is not interrupted: there is nothing to resume",
    );
    expect(await client.threads.getHistory(thread_id)).toEqual(before);
    expect(await client.runs.list(thread_id)).toHaveLength(1);
  });

  test("breakpoints stop before a node, and a run without input continues", async () => {
    const { thread_id } = await client.threads.create();
    await client.runs.wait(thread_id, "steps", { input: { n: 90 }, interruptBefore: ["two"] });
    expect(await client.threads.getState(thread_id)).toMatchObject({ values: { n: 91 }, next: ["two"] });
    expect((await client.threads.get(thread_id)).status).toBe("interrupted");
    const done = await client.runs.wait(thread_id, "steps", { input: null });
    expect(done).toMatchObject({ n: 101 });
  });
});
