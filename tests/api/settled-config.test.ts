import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { Client } from "@langchain/langgraph-sdk";
import { describe, expect, test } from "vitest";
import { raw } from "../support/raw.ts";
import { startServer } from "../support/server.ts";
import { useServer } from "../support/use-server.ts";

const app = join(import.meta.dirname, "apps", "settled");
const server = useServer({
  own: true,
  app,
  errors: [/the configuration says (ui|auth\.disable_studio_auth):/, /: the application's authentication failed: /],
});

const request = async (headers: Record<string, string>, at: { url: string } = server) =>
  await raw(`${at.url}/assistants/search`, { headers, body: "{}" });
const responseText = async (authorization: string) => (await request({ authorization })).text;

describe("auth.cache", () => {
  test("admits a known caller without calling the handler again, until the cache is full", async () => {
    expect(await responseText("ada")).toBe("ada by question 1");
    expect(await responseText("ada")).toBe("ada by question 1");
    expect(await responseText("bob")).toBe("bob by question 2");
    expect(await responseText("ada")).toBe("ada by question 1");
    expect(await responseText("eve")).toBe("eve by question 3");
    expect(await responseText("bob")).toBe("bob by question 4");
  });

  test("does not keep failures, or callers without the cached headers", async () => {
    for (const n of [5, 6]) expect((await request({})).text).toBe(`Asked ${n} times`);
    expect((await request({ authorization: "broken" })).status).toBe(500);
    expect((await request({ authorization: "broken" })).status).toBe(500);
    expect((await request({})).text).toBe("Asked 9 times");
  });

  test("is cleared when the application's code is loaded again", async () => {
    expect(await responseText("ada")).toMatch(/^ada by question \d+$/);
    expect((await request({ authorization: "crash" })).status).toBe(503);
    for (;;) {
      const answer = await request({ authorization: "ada" });
      if (answer.status !== 503) {
        expect(answer.text).toBe("ada by question 1");
        return;
      }
      await new Promise((later) => setTimeout(later, 50));
    }
  });
});

test("a failed request is logged with the configured headers", async () => {
  await request({ authorization: "broken", "x-team": "blue", "x-secret": "hush", "x-api-key": "key", accept: "*/*" });
  await expect.poll(() => server.output()).toMatch(/POST \/assistants\/search \{"x-team":"blue"\} [0-9a-f-]{36}/);
  expect(server.output()).not.toContain("hush");
});

test("a run with a webhook is executed, and no delivery is stored", async () => {
  const client = new Client({ apiUrl: server.url, apiKey: null, defaultHeaders: { authorization: "ada" } });
  const { thread_id } = await client.threads.create();
  const run = await client.runs.create(thread_id, "echo", { input: { text: "a" }, webhook: "http://10.0.0.1/hook" });
  await client.runs.join(thread_id, run.run_id);
  expect((await client.runs.get(thread_id, run.run_id)).status).toBe("success");
  const database = new Sqlite(`${server.home}/deployments/default/database.sqlite`);
  // A delivery would be stored together with the end of the run.
  expect(database.prepare("select count(*) as n from webhooks").get()).toEqual({ n: 0 });
  database.close();
});

test("settings without effect are named in the log", async () => {
  await expect
    .poll(() => server.output())
    .toContain("the configuration says ui: components of an application are not served");
});

describe("a studio", () => {
  const studio = { "x-auth-scheme": "langsmith" };

  test("is admitted by its header where the application allows it and the server has no key", async () => {
    const client = new Client({ apiUrl: server.url, apiKey: null, defaultHeaders: studio });
    expect(await client.runs.wait(null, "echo", { input: { text: "a" } })).toMatchObject({ by: "StudioUser" });
  });

  test("is not admitted by its header where there is a key", async () => {
    const key = "correct horse battery";
    const keyed = await startServer({ app, env: { GRAPHLIB_API_KEY: key } });
    try {
      expect((await request(studio, keyed)).status).toBe(401);
      expect((await request({ ...studio, "x-api-key": key }, keyed)).status).toBe(200);
    } finally {
      await keyed.stop();
    }
  });
});
