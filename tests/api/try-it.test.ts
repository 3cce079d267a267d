/** Runs the command that `npm start` prints for trying the application, as if it was pasted into a shell. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Files, writeFiles } from "../support/built-apps.ts";
import { startServer, type TestServer, type TestServerOptions } from "../support/server.ts";

const folder = mkdtempSync(join(tmpdir(), "graphlib-try-it-"));
const servers: TestServer[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: TestServerOptions): Promise<TestServer> {
  const server = await startServer(options);
  servers.push(server);
  return server;
}

function app(name: string, files: Files): string {
  writeFiles(join(folder, name), files);
  return join(folder, name);
}

async function lineOf(server: TestServer): Promise<string> {
  const line = () => /^ {2}Try it {3}(curl .*)$/m.exec(server.output())?.[1];
  await expect.poll(line, { timeout: 30_000 }).toBeTypeOf("string");
  return line() ?? "";
}

/** Sends the request that curl would send for the pasted line. */
async function paste(line: string, key = ""): Promise<{ status: number; text: string; body: object }> {
  const script = `GRAPHLIB_API_KEY=${key}\ncurl() { printf '%s\\0' "$@"; }\n${line}`;
  const words = execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
  const headers = words.flatMap((word, at) => (words[at - 1] === "-H" ? [word.split(/:\s*/, 2)] : []));
  const url = words.find((word) => word.startsWith("http")) ?? "";
  const body = words.at(-1) ?? "";
  const answer = await fetch(url.replace("localhost", "127.0.0.1"), {
    method: "POST",
    headers: headers.map(([name = "", value = ""]): [string, string] => [name, value]),
    body,
  });
  return { status: answer.status, text: await answer.text(), body: JSON.parse(body) as object };
}

const TRIAGE = `
import { StateGraph } from "@langchain/langgraph";
import * as z from "zod";
const state = z.object({ topic: z.string(), urgency: z.number().min(3), tone: z.enum(["dry", "warm"]).optional() });
export const graph = new StateGraph(state)
  .addNode("sort", ({ topic, urgency }) => ({ topic: topic + " is sorted as " + urgency }))
  .addEdge("__start__", "sort").addEdge("sort", "__end__").compile();
`;

const CHAT = `
import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";
export const graph = new StateGraph(MessagesAnnotation)
  .addNode("say", () => ({})).addEdge("__start__", "say").addEdge("say", "__end__").compile();
`;

const config = (graphs: object): string => JSON.stringify({ graphs });

describe("the printed call", () => {
  test("is for the sample application's agent", async () => {
    const answer = await paste(await lineOf(await start({})));
    expect(answer).toMatchObject({ status: 200, body: { assistant_id: "agent" } });
    expect(answer.text).not.toContain("event: error");
  });

  test("is for the first graph that loads, with an input of its schema and with the key", async () => {
    const graphs = { broken: "./broken.mjs:graph", "it's triage": "./triage.mjs:graph", agent: "./chat.mjs:graph" };
    const files = { "broken.mjs": "throw new Error('no');\n", "triage.mjs": TRIAGE, "chat.mjs": CHAT };
    const key = "k".repeat(32);
    const server = await start({
      app: app("triage", { "graphlib.json": config(graphs), ...files }),
      env: { GRAPHLIB_API_KEY: key },
    });
    const line = await lineOf(server);
    expect(line).not.toContain(key);
    const answer = await paste(line, key);
    const input = { topic: "text", urgency: 3, tone: "dry" };
    expect(answer).toMatchObject({ status: 200, body: { assistant_id: "it's triage", input } });
    expect(answer.text).toContain("text is sorted as 3");
  });
});
