/** Tests an application with the oldest supported generation of LangGraph. */
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, expect, test } from "vitest";
import type { PreflightAnswer } from "../../lib/protocol/preflight.ts";
import { newFolder, removeFolders, writeFiles } from "../support/built-apps.ts";
import { INSTALL_MS } from "../support/built-packages.ts";
import { call, untilBuilt, untilState } from "../support/control.ts";
import { useServer } from "../support/use-server.ts";

const server = useServer();
afterAll(async () => {
  removeFolders();
});

const AGENT = `
import { AIMessage } from "@langchain/core/messages";
import { Annotation, END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
const State = Annotation.Root({ ...MessagesAnnotation.spec, answer: Annotation<string> });
export const graph = new StateGraph(State)
  .addNode("ask", () => ({ answer: interrupt({ question: "Go on?" }) as string }))
  .addNode("say", ({ answer }) => ({ messages: [new AIMessage("It was " + answer)] }))
  .addEdge(START, "ask")
  .addEdge("ask", "say")
  .addEdge("say", END)
  .compile();
`;

async function create(name: string, version: string, more: Record<string, string> = {}): Promise<string> {
  const path = newFolder();
  const dependencies = { "@langchain/langgraph": version, "@langchain/core": "0.3.80" };
  writeFiles(path, {
    "graphlib.json": JSON.stringify({ graphs: { agent: "./agent.ts:graph" } }),
    "package.json": JSON.stringify({ name, private: true, type: "module", dependencies }),
    "agent.ts": AGENT,
    ...more,
  });
  const body = { name, source: { type: "folder", path } };
  expect((await call(server, "POST", "/deployments", body)).status).toBe(201);
  return path;
}

async function all<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const part of parts) found.push(part);
  return found;
}

test(
  "LangGraph 0.2.64 streams, interrupts, resumes and has schemas, with a note that it is old",
  async () => {
    const path = await create("older", "0.2.64");
    const { json } = await call<PreflightAnswer>(server, "POST", "/preflight", {
      source: { type: "folder", path },
    });
    const notes = json.findings.filter(({ level }) => level === "note").map(({ message }) => message);
    expect(notes).toContainEqual(expect.stringContaining("@langchain/langgraph 0.2.64 is old"));
    await untilState(server, "older", ["live"]);

    const client = new Client({ apiUrl: `${server.url}/agents/older` });
    const { thread_id } = await client.threads.create();
    const streamMode = ["values", "updates", "messages-tuple"] as const;
    const input = { messages: [{ role: "user", content: "Hello" }] };
    const interrupted = await all(client.runs.stream(thread_id, "agent", { input, streamMode: [...streamMode] }));
    expect(interrupted).toContainEqual(
      expect.objectContaining({
        event: "updates",
        data: { __interrupt__: [expect.objectContaining({ value: { question: "Go on?" } })] },
      }),
    );
    expect(await client.threads.get(thread_id)).toMatchObject({ status: "interrupted" });
    const command = { resume: "well" };
    const resumed = await all(client.runs.stream(thread_id, "agent", { command, streamMode: [...streamMode] }));
    expect(resumed).toContainEqual(expect.objectContaining({ event: "updates", data: { ask: { answer: "well" } } }));
    expect(resumed.map(({ event }) => event)).toContain("messages");
    const { values, next } = await client.threads.getState<{ answer: string; messages: object[] }>(thread_id);
    expect(next).toEqual([]);
    expect(values).toMatchObject({ answer: "well", messages: [{}, { content: "It was well" }] });
    const { input_schema } = await client.assistants.getSchemas("agent");
    expect(Object.keys(input_schema?.properties ?? {})).toEqual(["messages", "answer"]);
  },
  INSTALL_MS,
);

test("an older one is refused before the installation, by its version in yarn.lock", async () => {
  const lock = '"@langchain/core@0.3.80":\n  version "0.3.80"\n\n"@langchain/langgraph@^0.2.0":\n  version "0.2.20"\n';
  await create("oldest", "^0.2.0", { "yarn.lock": lock });
  const { state, problem } = await untilBuilt(server, "oldest");
  expect({ state, problem }).toMatchObject({
    state: "config_failed",
    problem: {
      step: "validating",
      message: "@langchain/langgraph 0.2.20 is too old: 0.2.50 is the oldest that is served.",
      fix: 'Run "yarn add @langchain/langgraph@latest @langchain/core@latest" and commit what it changes.',
    },
  });
});
