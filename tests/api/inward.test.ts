import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { beforeAll, expect, test } from "vitest";
import { raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const KEY = "correct horse battery";
const server = useServer({
  app: join(import.meta.dirname, "apps", "inward"),
  env: { GRAPHLIB_API_KEY: KEY, LANGGRAPH_API_KEY: "a key of something else" },
});
let client: Client;
beforeAll(() => {
  client = new Client({ apiUrl: server.url, apiKey: KEY });
});

interface OuterResult {
  answer: unknown;
  environment: string;
}

const runOuter = async (input: Record<string, unknown>): Promise<OuterResult> =>
  (await client.runs.wait(null, "outer", { input })) as unknown as OuterResult;

test("a graph runs another assistant of its own server, without an address or the key", async () => {
  const { answer, environment } = await runOuter({ word: "hello" });
  expect(answer).toEqual({ said: ["hello", "hello!"], kept: "hello!" });
  expect(environment).not.toContain(KEY);
});

test("a client with the server's address is refused", async () => {
  expect((await runOuter({ word: "hello", url: server.url })).answer).toMatch(/401/);
});

test("a made-up pass is refused", async () => {
  const { status } = await raw(`${server.url}/assistants/inner`, {
    headers: { "x-graphlib-pass": crypto.randomUUID() },
  });
  expect(status).toBe(401);
});
