import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { expect, test } from "vitest";
import { raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const KEY = "correct horse battery";
const server = useServer({ app: join(import.meta.dirname, "apps", "routes"), env: { GRAPHLIB_API_KEY: KEY } });

const get = (path: string, headers: Record<string, string> = {}) => raw(server.url + path, { headers });

test("a route of the application is served at every address of its deployment", async () => {
  for (const path of ["/hello?a=1", "/agents/default/hello?a=1"]) {
    const { status, text, headers } = await get(path);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({ url: `${server.url}/hello?a=1`, key: null });
    expect(headers["x-wrapped"]).toBe("/hello");
  }
});

test("the application never receives the key of the server", async () => {
  expect((await get("/hello", { "x-api-key": KEY })).text).toContain('"key":null');
  expect((await get("/hello", { "x-api-key": "their own" })).text).toContain('"key":"their own"');
});

test("a path without a route is the API's, with the headers of the application's middleware; the key is still required", async () => {
  expect(await get("/assistants/echo")).toMatchObject({
    status: 401,
    text: expect.stringContaining("Missing API key"),
  });
  const answer = await get("/assistants/echo", { "x-api-key": KEY });
  expect(answer).toMatchObject({ status: 200, headers: { "x-wrapped": "/assistants/echo" } });
  expect(answer.headers["content-type"]).toMatch(/^application\/json/);
  expect((await get("/nowhere/at/all")).text).toBe("No such route: GET /nowhere/at/all");
});

test("runs are streamed behind it, and their bodies arrive whole", async () => {
  const client = new Client({ apiUrl: server.url, apiKey: KEY });
  const words: unknown[] = [];
  const input = { word: "é".repeat(100_000) };
  for await (const { event, data } of client.runs.stream(null, "echo", { input }))
    if (event === "values") words.push(data);
  expect(words.at(-1)).toEqual(input);
});

test("its middleware can refuse a request, and its routes come before the API's", async () => {
  expect(await get("/ok", { "x-banned": "1" })).toMatchObject({ status: 403, text: "Banned" });
  expect((await get("/info")).text).toBe('{"mine":true}');
});

test("bytes are passed unchanged in both directions", async () => {
  const bytes = Uint8Array.from({ length: 700_001 }, (_, index) => index % 251);
  const answer = await fetch(`${server.url}/upload`, { method: "POST", body: bytes });
  expect(answer.status).toBe(201);
  expect(answer.headers.get("content-type")).toBe("application/octet-stream");
  expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), Buffer.from(bytes.toReversed()))).toBe(0);
});

test("a body above the limit is refused before the application receives it", async () => {
  const answer = await fetch(`${server.url}/upload`, { method: "POST", body: new Uint8Array(10 * 1024 * 1024 + 1) });
  expect(answer.status).toBe(413);
});

test("cookies stay separate, and CORS is the application's where it sets it", async () => {
  const own = { host: `default.agents.localhost:${new URL(server.url).port}` };
  expect((await get("/cookies", own)).headers["set-cookie"]).toEqual(["a=1", "b=2"]);
  const shared = await get("/shared/thing", { origin: "https://friend.test" });
  expect(shared.headers["access-control-allow-origin"]).toBe("https://friend.test");
  const preflight = await raw(`${server.url}/shared/thing`, {
    method: "OPTIONS",
    headers: { origin: "https://friend.test", "access-control-request-method": "POST" },
  });
  expect(preflight.headers["access-control-allow-origin"]).toBe("https://friend.test");
  expect((await get("/hello", { origin: "https://a.test" })).headers["access-control-allow-origin"]).toBe("*");
});

test("a reader that stops reading stops the application's stream, and one that leaves ends it", async () => {
  const counted = async () => JSON.parse((await get("/counted")).text) as { sent: number; left: number };
  const clientRequest = request(`${server.url}/endless`);
  clientRequest.on("error", () => undefined);
  clientRequest.end();
  const [answer] = (await once(clientRequest, "response")) as [IncomingMessage];
  await once(answer, "data");
  answer.pause();
  // The sockets of two processes hold some megabytes. Without backpressure the number would rise for ever.
  let sent = -1;
  const rose = async () => {
    const before = sent;
    ({ sent } = await counted());
    return sent - before;
  };
  await expect.poll(rose, { interval: 200, timeout: 20_000 }).toBe(0);
  expect((await counted()).left).toBe(0);
  clientRequest.destroy();
  await expect.poll(async () => (await counted()).left, { timeout: 15_000 }).toBe(1);
  expect((await counted()).sent - sent).toBeLessThan(200);
});

test("a header of it that HTTP does not allow is answered by 500, and leaves nothing waiting", async () => {
  server.expectError(/GET \/agents\/default\/bad-header could not be answered/);
  const refused = await get("/bad-header");
  expect([refused.status, refused.text]).toEqual([500, "Internal Server Error"]);
  expect((await get("/hello")).status).toBe(200);
});

test("an error in it shows no details, and a stream that breaks ends early and is in the log", async () => {
  server.expectError(/GET \/agents\/default\/breaks could not be answered Error: .*broken/);
  const failed = await get("/fails");
  expect(failed.status).toBe(500);
  expect(failed.text).not.toContain("secret");
  await expect(get("/breaks")).rejects.toThrow(/aborted|hang up/);
});

test("a route calls its own server as a graph does", async () => {
  expect((await get("/inward")).text).toBe('{"word":"in"}');
});

test("a console page stays the console's", async () => {
  expect((await get("/sign-in")).headers["content-type"]).toMatch(/^text\/html/);
});

test("when the worker dies, its callers get 503", async () => {
  expect((await get("/dies")).status).toBe(503);
});
