/** Tests `client.threads.stream()` of the official client for Python, with all its projections. */
import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { expect, test } from "vitest";
import { startCuttingProxy } from "../support/cutting-proxy.ts";
import { useServer } from "../support/use-server.ts";
import { describePython, runPython } from "./python-langgraph.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/team") });

interface Message {
  pieces: string[];
  node: string;
  content: object[];
  calls: { name: string }[];
}
interface Graph {
  name: string;
  depth: number;
  status: string;
  messages: Message[];
  tools: object[];
  subgraphs: Graph[];
}
interface Event {
  event_id: string;
  seq: number;
  method: string;
  params: { namespace: string[]; data: { event?: string } };
}
interface Report {
  thread: string;
  messages: Message[];
  tools: object[];
  subgraphs: Graph[];
  values: { messages?: { content: string }[] }[];
  output: { values?: { messages: { content: string }[] }; error?: string };
  events: Event[];
  interleaved: string[];
  own: object[];
  tree: { nodes: { id: string }[] };
  questions: { value: unknown; depth: number }[];
}

const say = (content: string) => ({ messages: [{ role: "user", content }] });

/** Streams a new thread and reads the named projections. */
const stream = (program: string, read: (keyof Report)[], more: object = {}) =>
  runPython(program, { url: server.url, assistant: "team", input: say("hello"), read, ...more }) as Promise<Report>;

const textsByNode = (messages: Message[]) => messages.map(({ node, pieces }) => [node, pieces.join("")]);
const FAILED = "Error: nothing can be divided by 0\n Please fix your mistakes.";

const ways = ["thread_stream", "thread_stream_sync"].flatMap((program) =>
  ["sse", "websocket"].map((transport) => [program, transport] as const),
);

describePython.each(ways)("%s over %s", (program, transport) => {
  test("messages of concurrent models, tool calls, and custom events of the graph", async () => {
    const { messages, tools, own } = await stream(program, ["messages", "tools", "own"], { transport });
    const atOnce = textsByNode(messages.slice(0, 2));
    expect(new Set(atOnce.map(String))).toEqual(new Set(["left,from left", "right,from right"]));
    expect(textsByNode(messages.slice(2))).toEqual([
      ["call", ""],
      ["tools", "1"],
      ["tools", FAILED],
    ]);
    expect(messages[0]?.pieces.length).toBeGreaterThan(5);
    expect(messages[2]?.calls.map(({ name }) => name)).toEqual(["add", "divide"]);
    expect(tools).toMatchObject([
      { name: "add", output: { content: "1", tool_call_id: "call-add" } },
      { name: "divide", error: "nothing can be divided by 0" },
    ]);
    expect(own).toEqual([{ name: "own", payload: { step: 1 } }]);
  });

  test("subgraphs of subgraphs, each with its messages; nodes that are no graphs are left out", async () => {
    const { subgraphs } = await stream(program, ["subgraphs"], { transport });
    const shown = ({ name, depth, status, messages, subgraphs }: Graph): unknown[] => [
      `${name} ${depth} ${status}`,
      ...textsByNode(messages),
      ...subgraphs.map(shown),
    ];
    expect(subgraphs.map(shown)).toEqual([
      ["helper 1 completed", ["deeper", "from deeper"], ["below 2 completed", ["deepest", "from deepest"]]],
    ]);
  });

  test("several questions, in subgraphs too, are asked and answered until the run ends", async () => {
    const questions = [1, 0, 1].map((depth, n) => ({
      value: { question: ["first?", "beside?", "second?"][n] },
      depth,
    }));
    const answers = questions.map(({ value }, n) => [`{"question": "${value.question}"}`, n + 1]);
    const report = await stream(program, [], { transport, assistant: "asks", answers });
    expect(report.questions).toEqual(questions);
    const texts = report.output.values?.messages.map(({ content }) => content);
    expect(new Set(texts)).toEqual(new Set(["hello", "first? 1", "beside? 2", "second? 3"]));
  });

  test("a run that fails ends all projections, and its output is the error", async () => {
    const { output, values } = await stream(program, ["output", "values"], { transport, input: say("break") });
    expect(output).toEqual({ error: "Run errored: broken as asked" });
    expect(values.at(-1)?.messages?.at(-1)).toMatchObject({ content: FAILED });
  });
});

describePython("the asynchronous client", () => {
  test("reads values, output, all projections in one order, and the graph's drawing", async () => {
    const read = ["values", "output", "interleaved", "tree", "events"] as const;
    const { values, output, interleaved, tree, events } = await stream("thread_stream", [...read]);
    expect(values.at(-1)).toEqual(output.values);
    expect(new Set(interleaved)).toEqual(
      new Set(["values", "messages", "tool_calls", "subgraphs", "updates", "checkpoints", "tasks", "own"]),
    );
    expect(tree.nodes.map(({ id }) => id)).toContain("helper:below");
    expect(events.at(-1)).toMatchObject({
      method: "lifecycle",
      params: { namespace: [], data: { event: "completed" } },
    });
  });

  test("receives the same events as the client for JavaScript, except for the lifecycle of nodes", async () => {
    const { thread, events } = await stream("thread_stream", ["events"]);
    const judge = new Client({ apiUrl: server.url, apiKey: null }).threads.stream(thread, { assistantId: "team" });
    const channels = [...new Set(events.map(({ method }) => method))];
    const judged: Event[] = [];
    for await (const event of await judge.subscribe({ channels: channels as never })) {
      judged.push(event as Event);
      if (event.event_id === events.at(-1)?.event_id) break;
    }
    await judge.close();
    const isNodes = ({ method, params }: Event) => method === "lifecycle" && params.namespace.length > 0;
    const ids = (all: Event[]) => all.filter((event) => !isNodes(event)).map(({ event_id, seq }) => [event_id, seq]);
    expect(ids(events)).toEqual(ids(judged));
    const begun = events.filter(isNodes).map(({ params }) => [params.data.event, params.namespace.length]);
    expect(begun).toEqual([
      ["started", 1],
      ["started", 2],
    ]);
  });

  test("receives earlier messages when it joins a thread later, and new ones", async () => {
    const { thread, values } = await stream("thread_stream", ["values"]);
    const again = await stream("thread_stream", ["messages", "output"], { thread, input: undefined });
    expect(textsByNode(again.messages)).toContainEqual(["left", "from left"]);
    expect(again.output.values).toEqual(values.at(-1));
  });

  test.each(["sse", "websocket"])("receives the same with another user agent over %s", async (transport) => {
    const headers = { "user-agent": "my-agent/1" };
    const named = await stream("thread_stream", ["messages", "tools"], { transport, headers, client: headers });
    expect(textsByNode(named.messages)).toContainEqual(["right", "from right"]);
    expect(named.tools).toHaveLength(2);
  });
});

describePython.each(ways)("%s over %s whose streams are lost again and again", (program, transport) => {
  test("reads everything", async () => {
    const cuts = [2_000, 3_000, 9_000];
    const proxy = await startCuttingProxy(server.url, cuts);
    const report = await stream(program, ["messages", "tools"], { url: proxy.url, transport });
    expect(textsByNode(report.messages)).toContainEqual(["left", "from left"]);
    expect(report.messages).toHaveLength(5);
    expect(report.tools).toHaveLength(2);
    expect(proxy.lost()).toBe(cuts.length);
    await proxy.close();
  });
});
