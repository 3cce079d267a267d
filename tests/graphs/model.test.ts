import { AIMessageChunk, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { afterEach, describe, expect, test, vi } from "vitest";
import { graph } from "../../graphs/agent.ts";
import { createModel } from "../../graphs/model.ts";
import { serveAnthropic, serveOpenai } from "./model-server.ts";

afterEach(() => vi.unstubAllEnvs());

/** Runs the agent. Returns the tokens of its last answer in order, and the final messages. */
async function runAgent(): Promise<{ tokens: string[]; messages: BaseMessage[] }> {
  const tokens: string[] = [];
  let messages: BaseMessage[] = [];
  const input = { messages: [new HumanMessage("what is six times seven?")] };
  for await (const [mode, data] of await graph.stream(input, { streamMode: ["messages", "values"] })) {
    if (mode === "values") messages = data.messages;
    else if (AIMessageChunk.isInstance(data[0]) && data[0].text) tokens.push(data[0].text);
  }
  return { tokens, messages };
}

describe("an OpenAI-compatible server", () => {
  test("is called at OPENAI_BASE_URL without a key, with tools and as a stream", async () => {
    await using server = await serveOpenai();
    vi.stubEnv("AGENT_MODEL", "openai:llama3.2:3b");
    vi.stubEnv("OPENAI_BASE_URL", `${server.url}/v1`);
    vi.stubEnv("OPENAI_API_KEY", "");
    const { tokens, messages } = await runAgent();
    expect(tokens).toEqual(["The ", "answer ", "is ", "42."]);
    expect(messages.map((message) => message.getType())).toEqual(["human", "ai", "tool", "ai"]);
    expect(messages[2]?.text).toContain('"result":"42"');
    const [first, second] = server.requests;
    expect(first).toMatchObject({ path: "/v1/chat/completions", body: { model: "llama3.2:3b", stream: true } });
    expect(first?.body.tools).toHaveLength(4);
    expect(second?.body.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
  });

  test("receives the key when one is set", async () => {
    await using server = await serveOpenai();
    const model = await createModel({
      AGENT_MODEL: "openai:m",
      OPENAI_BASE_URL: `${server.url}/v1`,
      OPENAI_API_KEY: "sk-test",
    });
    for await (const chunk of await model.stream("hello")) expect(chunk).toBeDefined();
    expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-test");
  });
});

test("an Anthropic server is called with its key, with tools and as a stream", async () => {
  await using server = await serveAnthropic();
  vi.stubEnv("AGENT_MODEL", "anthropic:claude-test");
  vi.stubEnv("ANTHROPIC_API_KEY", "key-test");
  vi.stubEnv("ANTHROPIC_BASE_URL", server.url);
  const { tokens, messages } = await runAgent();
  expect(tokens).toEqual(["The ", "answer ", "is ", "42."]);
  expect(messages[2]?.text).toContain('"result":"42"');
  expect(messages.at(-1)?.text).toBe("The answer is 42.");
  expect(server.requests[0]).toMatchObject({ path: "/v1/messages", body: { model: "claude-test", stream: true } });
  expect(server.requests[0]?.headers["x-api-key"]).toBe("key-test");
});

describe("without a provider", () => {
  test.each([{}, { AGENT_MODEL: "" }, { AGENT_MODEL: " " }])("%o gives the built-in model", async (env) => {
    expect((await createModel(env))._llmType()).toBe("graphlib-offline");
  });

  test.each([
    [{ AGENT_MODEL: "gpt" }, 'AGENT_MODEL is "gpt"'],
    [{ AGENT_MODEL: "openai:" }, 'AGENT_MODEL is "openai:"'],
    [{ AGENT_MODEL: "mistral:large" }, 'AGENT_MODEL is "mistral:large"'],
    [{ AGENT_MODEL: "openai:m" }, "OPENAI_API_KEY is not set"],
    [{ AGENT_MODEL: "anthropic:m" }, "ANTHROPIC_API_KEY is not set"],
  ])("%o fails with a sentence that names the accepted forms", async (env, reason) => {
    const failure = createModel(env);
    await expect(failure).rejects.toThrow(reason);
    await expect(failure).rejects.toThrow(/openai:<model>.*OPENAI_BASE_URL.*anthropic:<model>/u);
  });
});
