/** Tests threads, their states and the interrupts of their runs with the official client for Python. */
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useServer } from "../support/use-server.ts";
import { team } from "./apps/team/graphs.mjs";
import { clients, describePython, type Part, type PythonClient } from "./python-langgraph.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/team") });

const hello = { messages: [{ role: "user", content: "hello" }] };
interface Message {
  id: string;
  content: string;
}
interface Checkpoint {
  checkpoint_id: string;
  checkpoint_ns: string;
}
interface State {
  values: { messages: Message[] };
  next: string[];
  checkpoint: Checkpoint;
  tasks: {
    name: string;
    interrupts: { id: string; value: { question: string } }[];
    checkpoint?: Checkpoint;
    state?: State;
  }[];
}
const texts = ({ values }: Pick<State, "values">) => new Set(values.messages.map(({ content }) => content));

describePython.each(clients)("%s", (name, open) => {
  let python: PythonClient;
  beforeAll(() => {
    python = open({ url: server.url });
  });
  afterAll(() => python.close());

  const newThread = async (options = {}) =>
    (await python.call<{ thread_id: string }>("threads.create", [], options)).thread_id;
  const stateOf = (thread: string, options = {}) => python.call<State>("threads.get_state", [thread], options);
  /** Resolves at the end of the run or at an interrupt. */
  const run = (thread: string, graph: string, options: object = { input: hello }) =>
    python.call("runs.wait", [thread, graph], options);

  test("threads are created, found, counted, updated, copied, pruned and deleted", async () => {
    const mine = { by: `${name} ${crypto.randomUUID()}` };
    const thread_id = crypto.randomUUID();
    await newThread({ thread_id, metadata: mine, graph_id: "team" });
    await expect(newThread({ thread_id })).rejects.toMatchObject({ status: 409 });
    expect(await newThread({ thread_id, if_exists: "do_nothing" })).toBe(thread_id);
    expect(await python.call("threads.update", [thread_id], { metadata: { more: 1 } })).toMatchObject({
      metadata: { ...mine, more: 1, graph_id: "team" },
    });
    expect(await python.call("threads.update", [thread_id], { metadata: { n: 1 }, return_minimal: true })).toBeNull();
    const copy = await python.call<{ thread_id: string }>("threads.copy", [thread_id]);
    const search = { metadata: mine, sort_by: "created_at", sort_order: "asc", select: ["thread_id", "status"] };
    expect(await python.call("threads.search", [], search)).toEqual(
      [thread_id, copy.thread_id].map((id) => ({ thread_id: id, status: "idle" })),
    );
    expect(await python.call("threads.search", [], { ids: [copy.thread_id] })).toHaveLength(1);
    expect(await python.call("threads.count", [], { metadata: mine, status: "idle" })).toBe(2);
    expect(await python.call("threads.prune", [[copy.thread_id]])).toEqual({ pruned_count: 1 });
    await python.call("threads.delete", [thread_id]);
    expect(await python.call("threads.count", [], { metadata: mine })).toBe(0);
    await expect(python.call("threads.get", [thread_id])).rejects.toMatchObject({ status: 404 });
  });

  test("a thread has a time to live, which can be changed", async () => {
    const thread = await newThread({ ttl: 5 });
    const lifetime = () => python.call("threads.get", [thread], { include: ["ttl"] });
    expect(await lifetime()).toMatchObject({ ttl: { ttl_minutes: 5, strategy: "delete" } });
    await python.call("threads.update", [thread], { metadata: {}, ttl: { ttl: 7, strategy: "keep_latest" } });
    expect(await lifetime()).toMatchObject({ ttl: { ttl_minutes: 7, strategy: "keep_latest" } });
  });

  test("a thread is created with supersteps", async () => {
    const update = (content: string) => ({ values: { messages: [{ role: "user", content }] }, as_node: "left" });
    const supersteps = ["one", "two"].map((content) => ({ updates: [update(content)] }));
    const thread = await newThread({ graph_id: "team", supersteps });
    expect(texts(await stateOf(thread))).toEqual(new Set(["one", "two"]));
  });

  test("states are listed from the newest, read at a checkpoint, and updated as a node", async () => {
    const thread = await newThread();
    await run(thread, "team");
    const newest = await stateOf(thread);
    expect(newest).toMatchObject({
      next: [],
      values: { messages: [{ content: "hello" }, {}, {}, {}, {}, {}, {}, {}] },
    });
    const history = await python.call<State[]>("threads.get_history", [thread], { limit: 3 });
    expect(history.map(({ next }) => next)).toEqual([[], ["last"], ["tools"]]);
    const [, before] = history;
    const earlier = await python.call<State[]>("threads.get_history", [thread], {
      limit: 1,
      before: newest.checkpoint,
    });
    expect(earlier).toEqual([before]);
    expect(await stateOf(thread, { checkpoint: before?.checkpoint })).toEqual(before);
    expect(await stateOf(thread, { checkpoint_id: before?.checkpoint.checkpoint_id })).toEqual(before);
    const sources = { metadata: { source: "input" } };
    expect(await python.call("threads.get_history", [thread], sources)).toHaveLength(1);
    const values = { messages: [{ role: "user", content: "by hand" }] };
    const changed = await python.call<{ checkpoint: Checkpoint }>("threads.update_state", [thread, values], {
      as_node: "call",
      checkpoint: before?.checkpoint,
    });
    const fork = await stateOf(thread);
    expect(fork.checkpoint).toMatchObject(changed.checkpoint);
    expect(fork.next).toEqual(["tools"]);
    expect(texts(fork)).toContain("by hand");
  });

  test.skipIf(name.startsWith("0.3"))("members of states and keys of their values can be selected", async () => {
    const thread = await newThread();
    await run(thread, "team");
    const select = ["values.messages", "values.none", "next"];
    const { values, next, checkpoint } = await stateOf(thread);
    const selected = { values: { messages: values.messages }, next };
    expect(await stateOf(thread, { select })).toEqual(selected);
    expect(await stateOf(thread, { checkpoint, select })).toEqual(selected);
    expect(await python.call("threads.get_history", [thread], { limit: 1, select })).toEqual([selected]);
    expect(await stateOf(thread, { select: ["values", "values.messages"] })).toEqual({ values });
  });

  test("a run continues from an earlier checkpoint", async () => {
    const thread = await newThread();
    await run(thread, "team");
    const history = await python.call<State[]>("threads.get_history", [thread], { limit: 3 });
    const { length } = history[0]?.values.messages ?? [];
    await run(thread, "team", { input: null, checkpoint: history[1]?.checkpoint });
    const again = await python.call<State[]>("threads.get_history", [thread], { limit: 10 });
    expect(again[0]).toMatchObject({ next: [] });
    expect(again[0]?.values.messages).toHaveLength(length);
  });

  test("a run stops before and after the named nodes, and continues without input", async () => {
    const thread = await newThread();
    await run(thread, "team", { input: hello, interrupt_before: ["helper"], interrupt_after: ["call"] });
    expect((await stateOf(thread)).next).toEqual(["helper"]);
    await run(thread, "team", { input: null, interrupt_after: ["call"] });
    expect((await stateOf(thread)).next).toEqual(["tools"]);
    expect(await python.call("threads.get", [thread])).toMatchObject({ status: "interrupted" });
    await run(thread, "team", { input: null });
    expect((await stateOf(thread)).next).toEqual([]);
  });

  test("concurrent interrupts are streamed, shown in their subgraphs, and answered by their ids", async () => {
    const thread = await newThread();
    const options = { input: hello, stream_mode: ["updates", "values"] };
    const parts = await python.call<Part<{ __interrupt__?: object[] }>[]>("runs.stream", [thread, "asks"], options);
    const streamed = parts.filter(({ event }) => event === "updates").flatMap(({ data }) => data.__interrupt__ ?? []);
    expect(streamed).toHaveLength(2);
    const [shallow, deep] = [await stateOf(thread), await stateOf(thread, { subgraphs: true })];
    const inside = ({ tasks }: State) => tasks.find((task) => task.name === "inside");
    expect(inside(shallow)?.state ?? null).toBeNull();
    expect(inside(deep)?.state).toMatchObject({ next: ["first"], values: { messages: [{ content: "hello" }] } });
    const checkpoint = inside(deep)?.state?.checkpoint;
    expect(checkpoint?.checkpoint_ns).toMatch(/^inside:/);
    expect(await stateOf(thread, { checkpoint })).toMatchObject({ next: ["first"] });

    const questions = shallow.tasks.flatMap(({ interrupts }) => interrupts);
    const resume = Object.fromEntries(questions.map(({ id, value }) => [id, `to ${value.question}`]));
    await run(thread, "asks", { command: { resume } });
    const second = await python.call<Part[]>("runs.stream", [thread, "asks"], { command: { resume: "yes" } });
    expect(second.at(-1)).toMatchObject({ event: "values" });
    expect(texts(await stateOf(thread))).toEqual(
      new Set(["hello", "first? to first?", "beside? to beside?", "second? yes"]),
    );
  });

  test("a command updates the state and names the next node", async () => {
    const thread = await newThread();
    await run(thread, "team", { input: hello, interrupt_before: ["helper"] });
    const update = { messages: [{ role: "user", content: "told by the way" }] };
    await run(thread, "team", { command: { goto: "last", update }, interrupt_before: ["helper"] });
    expect(texts(await stateOf(thread))).toContain("told by the way");
  });

  test("the stream of a thread has its runs one after the other, and resumes after an event", async () => {
    const thread = await newThread();
    const options = { input: hello, stream_resumable: true, stream_mode: "updates" };
    const events: string[] = [];
    for (const graph of ["team", "team"]) {
      const parts = await python.call<Part[]>("runs.stream", [thread, graph], options);
      events.push(...parts.map(({ event }) => event), "run_done");
    }
    const all = await python.take(events.length, "threads.join_stream", [thread], { last_event_id: "-" });
    expect(all.map(({ event }) => event)).toEqual(events);
    const [, second, third] = all;
    const [next] = await python.take(1, "threads.join_stream", [thread], { last_event_id: second?.id });
    expect(next).toEqual(third);
    const [done] = await python.take(1, "threads.join_stream", [thread], {
      last_event_id: "-",
      stream_mode: "lifecycle",
    });
    expect(["metadata", "run_done"]).toContain(done?.event);
  });

  test("an assistant is drawn, described and searched, and goes back to an earlier version", async () => {
    const mine = { by: `${name} ${crypto.randomUUID()}` };
    const made = await python.call<{ assistant_id: string }>("assistants.create", ["team"], {
      metadata: mine,
      name: "First",
      description: "of the tests",
      context: { tone: "calm" },
    });
    const { assistant_id } = made;
    expect(made).toMatchObject({ version: 1, context: { tone: "calm" }, description: "of the tests" });
    await python.call("assistants.update", [assistant_id], { name: "Second", config: { tags: ["t"] } });
    expect(await python.call("assistants.get_versions", [assistant_id])).toMatchObject([
      { version: 2, name: "Second" },
      { version: 1, name: "First" },
    ]);
    await python.call("assistants.set_latest", [assistant_id, 1]);
    expect(await python.call("assistants.get", [assistant_id])).toMatchObject({ version: 1, name: "First" });
    const found = await python.call("assistants.search", [], { metadata: mine, graph_id: "team", select: ["name"] });
    expect(found).toEqual([{ name: "First" }]);
    const page = { metadata: mine, limit: 1, response_format: "object" };
    expect(await python.call("assistants.search", [], page)).toMatchObject({
      assistants: [{ assistant_id }],
      next: null,
    });
    expect(await python.call("assistants.count", [], { metadata: mine })).toBe(1);

    for (const xray of [false, true, 1]) {
      const { nodes } = await python.call<{ nodes: { id: string }[] }>("assistants.get_graph", [assistant_id], {
        xray,
      });
      expect(nodes.map(({ id }) => id)).toEqual(Object.keys((await team.getGraphAsync({ xray })).nodes));
    }
    expect(await python.call("assistants.get_schemas", [assistant_id])).toMatchObject({
      graph_id: "team",
      state_schema: { properties: { messages: {} } },
    });
    const below = (options: object) => python.call("assistants.get_subgraphs", [assistant_id], options);
    expect(Object.keys(await below({}))).toEqual(["helper"]);
    expect(Object.keys(await below({ recurse: true }))).toEqual(["helper", "helper|below"]);
    expect(Object.keys(await below({ namespace: "helper" }))).toEqual(["helper"]);
    await python.call("assistants.delete", [assistant_id], { delete_threads: true });
    await expect(python.call("assistants.get", [assistant_id])).rejects.toMatchObject({ status: 404 });
  });
});
