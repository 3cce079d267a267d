/** Tests runs and their streams with the official client for Python, compared with the one for JavaScript. */
import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startCuttingProxy } from "../support/cutting-proxy.ts";
import { useServer } from "../support/use-server.ts";
import { clients, describePython, type Part, type PythonClient, type PythonError } from "./python-langgraph.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/modes") });
let judge: Client;
beforeAll(() => {
  judge = new Client({ apiUrl: server.url, apiKey: null });
});

const hello = { messages: [{ role: "user", content: "hello" }] };
const MODES = "values updates messages messages-tuple custom events debug tasks checkpoints".split(" ");
interface Run {
  run_id: string;
  status: string;
}

const eventsOf = (parts: Part[]) => [...new Set(parts.map(({ event }) => event))];
const idOf = ([first]: Part[]) => String(first?.data.run_id);
const contain = (...kinds: string[]) => expect.arrayContaining(kinds) as string[];
const newThread = async () => (await judge.threads.create()).thread_id;

/** Reads a run from its first event with both clients. */
async function readByBoth(python: PythonClient, thread: string, run: string) {
  const read: Part[] = await python.call("runs.join_stream", [thread, run], { last_event_id: "-1" });
  const judged: unknown[] = [];
  for await (const { id, event, data } of judge.runs.joinStream(thread, run, { lastEventId: "-1" }))
    judged.push({ id, event, data });
  return [read, judged] as const;
}

describePython.each(clients)("%s", (name, open) => {
  let python: PythonClient;
  beforeAll(() => {
    python = open({ url: server.url });
  });
  afterAll(() => python.close());

  test.each(MODES)(
    "the mode %s, with and without a thread, gives the events that the client for JavaScript reads",
    async (mode) => {
      const graph = mode === "custom" ? "custom" : "family";
      const options = { input: hello, stream_mode: mode, stream_subgraphs: true, stream_resumable: true };
      const thread = await newThread();
      const parts: Part[] = await python.call("runs.stream", [thread, graph], options);
      const run_id = idOf(parts);
      const [read, judged] = await readByBoth(python, thread, run_id);
      expect(read).toEqual(judged);
      expect(read).toEqual(parts);
      const alone: Part[] = await python.call("runs.stream", [null, graph], options);
      const kinds = (all: Part[]) => eventsOf(all).map((event) => event.replaceAll(/:[0-9a-f-]{36}/g, ""));
      expect(kinds(alone)).toEqual(kinds(parts));
      expect(parts.length).toBeGreaterThan(2);
    },
  );

  test("several modes come in one stream, and without subgraphs only the events of the graph itself", async () => {
    const modes = ["values", "updates", "custom"];
    const parts: Part[] = await python.call("runs.stream", [null, "family"], { input: hello, stream_mode: modes });
    expect(eventsOf(parts)).toEqual(["metadata", "values", "updates"]);
    expect(parts.at(-1)).toMatchObject({
      event: "values",
      data: { messages: [{ content: "hello" }, { content: "Hi!" }] },
    });
  });

  test("parts of version v2 have their namespaces apart", async () => {
    const options = { input: hello, stream_mode: ["updates", "values"], stream_subgraphs: true, version: "v2" };
    const parts = await python.call<{ type: string; ns: string[] }[]>("runs.stream", [null, "family"], options);
    const inside = parts.filter(({ ns }) => ns.length > 0);
    expect(new Set(inside.map(({ type, ns }) => `${type} ${ns[0]?.split(":")[0]}`))).toEqual(
      new Set(["values child", "updates child"]),
    );
  });

  test("wait, create, join, get and list return the same run, and a deleted one is 404", async () => {
    const thread = await newThread();
    const expected = { messages: [{ content: "hello" }, { content: "Hi!" }] };
    expect(await python.call("runs.wait", [thread, "chat"], { input: hello, metadata: { n: 1 } })).toMatchObject(
      expected,
    );
    expect(await python.call("runs.wait", [null, "chat"], { input: hello })).toMatchObject(expected);
    const { run_id } = await python.call<Run>("runs.create", [thread, "chat"], { input: hello });
    expect(await python.call("runs.join", [thread, run_id])).toHaveProperty("messages.length", 4);
    expect(await python.call("runs.get", [thread, run_id])).toMatchObject({ run_id, status: "success" });
    const runs = await python.call<Run[]>("runs.list", [thread], { status: "success", select: ["run_id", "metadata"] });
    expect(runs).toMatchObject([{ run_id }, { metadata: { n: 1 } }]);
    expect(Object.keys(runs[0] ?? {}).toSorted()).toEqual(["metadata", "run_id"]);
    expect(await python.call("runs.list", [thread], { limit: 1, offset: 1 })).toMatchObject([{ metadata: { n: 1 } }]);
    await python.call("runs.delete", [thread, run_id]);
    await expect(python.call("runs.get", [thread, run_id])).rejects.toMatchObject({ status: 404 });
  });

  test("on_run_created is called as soon as a run is created, by all three ways to start one", async () => {
    const thread = await newThread();
    for (const method of ["runs.stream", "runs.create", "runs.wait"]) {
      const run = await python.created(method, [thread, "chat"], { input: hello });
      expect(run.thread_id).toBe(thread);
      expect(await judge.runs.get(thread, run.run_id)).toHaveProperty("run_id", run.run_id);
    }
    expect(await python.created("runs.stream", [null, "chat"], { input: hello })).toMatchObject({ thread_id: null });
  });

  test("runs that are created in a batch each run", async () => {
    const payloads = ["chat", "shape"].map((assistant_id) => ({ assistant_id, input: { ...hello, question: "?" } }));
    const runs = await python.call<{ thread_id: string; run_id: string }[]>("runs.create_batch", [payloads]);
    expect(new Set(runs.map(({ run_id }) => run_id)).size).toBe(2);
    const thread = await newThread();
    const refused = python.call("runs.create_batch", [[...payloads, { assistant_id: "nobody" }]]);
    await expect(refused).rejects.toMatchObject({ status: 404 });
    expect(await judge.runs.list(thread)).toEqual([]);
  });

  test("a failing graph ends a stream with an error, and makes wait raise unless raise_error is false", async () => {
    const options = { input: hello };
    const parts: Part[] = await python.call("runs.stream", [null, "failing"], options);
    expect(parts.at(-1)).toMatchObject({ event: "error", data: { error: "RangeError", message: "kaput" } });
    // The older synchronous client leaves `raise_error` to the server.
    if (name !== "0.3.15, sync")
      await expect(python.call("runs.wait", [null, "failing"], options)).rejects.toThrow("RangeError: kaput");
    const result = await python.call("runs.wait", [null, "failing"], { ...options, raise_error: false });
    expect(result).toMatchObject({ __error__: { error: "RangeError", message: "kaput" } });
  });

  test.each([
    [404, "NotFoundError", "nobody", {}, expect.stringContaining('No assistant found for "nobody"')],
    [422, "UnprocessableEntityError", "chat", { durability: "no such" }, { issues: [{ path: "durability" }] }],
  ])("a refusal with %i is the client's %s", async (status, kind, assistant, options, body) => {
    for (const method of ["runs.create", "runs.stream"]) {
      const refused = python.call(method, [null, assistant], { input: hello, ...options });
      await expect(refused).rejects.toMatchObject({
        kinds: contain(kind, "APIStatusError"),
        status,
        body: body as unknown,
      });
    }
  });

  test("a busy thread rejects, interrupts, rolls back or enqueues, as multitask_strategy says", async () => {
    const thread = await newThread();
    const start = (multitask_strategy: string, graph = "slow") =>
      python.call<Run>("runs.create", [thread, graph], { input: hello, multitask_strategy });
    const statusOf = async ({ run_id }: Run) => (await python.call<Run>("runs.get", [thread, run_id])).status;
    const first = await start("reject");
    await expect(start("reject")).rejects.toMatchObject({ status: 409, kinds: contain("ConflictError") });
    const second = await start("interrupt");
    await python.call("runs.join", [thread, first.run_id]);
    const third = await start("rollback");
    const fourth = await start("enqueue");
    expect(await statusOf(fourth)).toBe("pending");
    for (const run of [third, fourth]) await python.call("runs.cancel", [thread, run.run_id], { wait: true });
    expect(await Promise.all([first, third, fourth].map(statusOf))).toEqual(Array(3).fill("interrupted"));
    const gone = () => statusOf(second).catch((error: PythonError) => error.status);
    await expect.poll(gone, { timeout: 30_000 }).toBe(404);
  });

  test("runs are cancelled one by one, rolled back, and cancelled many at once", async () => {
    const thread = await newThread();
    const start = () => python.call<Run>("runs.create", [thread, "slow"], { input: hello });
    const kept = await start();
    await python.call("runs.cancel", [thread, kept.run_id], { wait: true, action: "interrupt" });
    const undone = await start();
    await python.call("runs.cancel", [thread, undone.run_id], { wait: true, action: "rollback" });
    const many = [await start(), await start()];
    const run_ids = many.map(({ run_id }) => run_id);
    await python.call("runs.cancel_many", [], { thread_id: thread, run_ids });
    await Promise.all(many.map(({ run_id }) => python.call("runs.join", [thread, run_id])));
    const runs = await python.call<Run[]>("runs.list", [thread]);
    expect(runs.map(({ status }) => status)).toEqual(["interrupted", "interrupted", "interrupted"]);
    expect(runs.map(({ run_id }) => run_id)).not.toContain(undone.run_id);
  });

  test.each([
    ["cancel", "interrupted"],
    ["continue", "running"],
  ])("a client that leaves with on_disconnect=%s leaves a run that is %s", async (on_disconnect, status) => {
    const thread = await newThread();
    const options = { input: hello, stream_mode: "custom", on_disconnect };
    const parts = await python.take(3, "runs.stream", [thread, "slow"], options);
    const run_id = idOf(parts);
    await expect.poll(async () => (await judge.runs.get(thread, run_id)).status, { timeout: 30_000 }).toBe(status);
    const joined = await python.take(1, "runs.join_stream", [thread, run_id], { cancel_on_disconnect: true });
    expect(joined.length).toBe(status === "running" ? 1 : 0);
    await expect
      .poll(async () => (await judge.runs.get(thread, run_id)).status, { timeout: 30_000 })
      .toBe("interrupted");
  });

  test("a stream that breaks is resumed by the client itself, without a gap", async () => {
    const proxy = await startCuttingProxy(server.url, [2_000]);
    const cut = open({ url: proxy.url });
    const thread = await newThread();
    const options = { input: hello, stream_mode: ["messages-tuple", "values"], stream_resumable: true };
    const parts: Part[] = await cut.call("runs.stream", [thread, "tokens"], options);
    const [read] = await readByBoth(python, thread, idOf(parts));
    expect(parts).toEqual(read);
    expect(proxy.lost()).toBe(1);
    await Promise.all([cut.close(), proxy.close()]);
  });

  // The older clients retry with a content length and no body.
  test.skipIf(name.startsWith("0.3"))("a response that breaks is requested again", async () => {
    const proxy = await startCuttingProxy(server.url, [5], /^location: /im);
    const cut = open({ url: proxy.url });
    expect(await cut.call("runs.wait", [await newThread(), "chat"], { input: hello })).toMatchObject({
      messages: [{ content: "hello" }, { content: "Hi!" }],
    });
    expect(proxy.lost()).toBe(1);
    await Promise.all([cut.close(), proxy.close()]);
  });
});
