import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../lib/protocol/operations.ts";
import { controlOperations } from "../../lib/protocol/operations/control.ts";
import type { Operation } from "../../lib/protocol/operations/operation.ts";
import { ODD_PATHS } from "./odd-paths.ts";

interface Sent {
  method: string;
  /** The request target, sent as it is. */
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

type Answer = Record<"status" | "headers" | "body", unknown>;

interface Ways {
  own: string;
  next: string;
}

const KEY = "a-key-of-this-test-01234567890123456789";
const JSON_BODY = { "content-type": "application/json" };
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g;

describe("an application without routes of its own", () => {
  const ways = serveBothWays();

  it.each([...attemptsOf(operations, "/agents/default"), ...attemptsOf(controlOperations, "/api")])(
    "answers the operation %s the same both ways",
    async (_name, attempts) => {
      for (const sent of attempts) await expectSame(ways(), sent);
    },
  );

  it.each(ODD_PATHS)("answers the odd path %s the same both ways", async (path) => {
    for (const method of ["GET", "POST", "HEAD", "OPTIONS"]) await expectSame(ways(), { method, path });
  });

  it.each(["PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "QUERY"])(
    "gets the same answer both ways to the method %s where no operation has it",
    async (method) => {
      for (const path of ["/ok", "/agents/default/runs/stream", "/api/deployments", "/a2a/agent", "/nothing"])
        await expectSame(ways(), { method, path });
    },
  );

  it("gets the same answers both ways in a conversation", async () => {
    const thread = randomUUID();
    const input = { messages: [{ type: "human", content: "2 + 3" }] };
    const run = { assistant_id: "agent", input, stream_mode: ["values", "messages-tuple"] };
    const told = { kind: "message", role: "user", messageId: "m", parts: [{ kind: "text", text: "6 * 7" }] };
    const rpc = (method: string): object => ({ jsonrpc: "2.0", id: 1, method, params: { message: told } });
    const spoken: [string, string, object?][] = [
      ["POST", "/threads", { thread_id: thread, metadata: { a: "ä€😀" } }],
      ["POST", "/threads", { thread_id: thread }],
      ["POST", "/runs/stream", run],
      ["POST", "/runs/wait", run],
      ["POST", `/threads/${thread}/runs/stream`, run],
      ["POST", `/threads/${thread}/runs/wait`, run],
      ["GET", `/threads/${thread}`],
      ["HEAD", `/threads/${thread}`],
      ["GET", `/threads/${thread}/state`],
      ["POST", `/threads/${thread}/history`, { limit: 2 }],
      ["GET", `/threads/${thread}/runs?limit=1&select=status`],
      ["POST", `/threads/${thread}/runs/stream`, { ...run, multitask_strategy: "nonsense" }],
      ["PATCH", `/threads/${thread}`, { metadata: { b: 1 } }],
      ["POST", `/threads/${thread}/state`, { values: { messages: [] } }],
      ["PUT", "/store/items", { namespace: ["a", "b"], key: "k", value: { n: 1 } }],
      ["GET", "/store/items?namespace=a.b&key=k"],
      ["DELETE", "/store/items", { namespace: ["a", "b"], key: "k" }],
      ["POST", "/assistants/search", { limit: 1, graph_id: "agent" }],
      ["GET", "/assistants/agent/graph?xray=true"],
      ["POST", "/a2a/agent", rpc("message/send")],
      ["POST", "/a2a/agent", rpc("message/stream")],
      ["GET", "/.well-known/agent-card.json?assistant_id=agent"],
      ["DELETE", `/threads/${thread}`],
      ["GET", `/threads/${thread}`],
    ];
    const answers = { own: [] as Answer[], next: [] as Answer[] };
    for (const way of ["own", "next"] as const) {
      for (const [method, path, body] of spoken)
        answers[way].push(
          await ask(ways()[way], { method, path, headers: JSON_BODY, body: body && JSON.stringify(body) }),
        );
    }
    for (const [at, answer] of answers.own.entries()) expect({ at, ...answer }).toEqual({ at, ...answers.next[at] });
    expect(answers.own.map(({ status }) => status)).toContain(422);
  });

  it("gets the same headers of a stream that stays open, and nothing is left behind when it leaves", async () => {
    for (const sent of [
      { method: "GET", path: "/api/deployments/events" },
      {
        method: "POST",
        path: `/threads/${randomUUID()}/stream/events`,
        headers: JSON_BODY,
        body: `{"channels":["values"]}`,
      },
    ])
      expect(await ask(ways().own, sent, "headers")).toEqual(await ask(ways().next, sent, "headers"));
  });

  it.each([
    ["a chunked body", { "transfer-encoding": "chunked" }, JSON.stringify({ metadata: { a: 1 } })],
    ["a body of 300 kB", {}, JSON.stringify({ metadata: { a: "x".repeat(300_000) } })],
    ["a body with a byte order mark", {}, `\uFEFF{"metadata":{}}`],
    ["a body that is no UTF-8", {}, Buffer.from([0x7b, 0xff, 0x7d]).toString("latin1")],
    ["an empty body", {}, ""],
    ["a compressed body", { "content-encoding": "gzip" }, "{}"],
    ["another type of body", { "content-type": "text/plain" }, "{}"],
  ])("gets the same answer both ways to %s", async (_title, headers, body) => {
    await expectSame(ways(), { method: "POST", path: "/threads", headers: { ...JSON_BODY, ...headers }, body });
  });

  it.each([
    ["a foreign page", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    ["a foreign host", { host: "evil.example" }],
    ["internal headers", { "x-graphlib-url": "/elsewhere", "x-graphlib-address": "9.9.9.9" }],
    ["headers of proxies", { "x-forwarded-host": "other.example", "x-forwarded-proto": "https" }],
    ["headers that Next knows", { "x-middleware-rewrite": "/ok", "x-nextjs-data": "1", "next-router-prefetch": "1" }],
    ["an expectation", { expect: "100-continue" }],
  ])("gets the same answer both ways with %s", async (_title, headers) => {
    for (const path of ["/info", "/nothing", "/api/deployments"])
      await expectSame(ways(), { method: "GET", path, headers });
    const body = `{"metadata":{}}`;
    await expectSame(ways(), { method: "POST", path: "/threads", headers: { ...JSON_BODY, ...headers }, body });
  });
});

describe("headers by which a browser fetches data of Next's pages", () => {
  const ways = serveBothWays();

  it.each(["rsc: 1", "next-router-prefetch: 1", "cookie: __prerender_bypass=1"])(
    "%s has no meaning for the API",
    async (header) => {
      const sent = { method: "GET", path: "/agents/default/info" };
      const headers = Object.fromEntries([header.split(": ")]) as Record<string, string>;
      expect(await ask(ways().own, { ...sent, headers })).toEqual(await ask(ways().own, sent));
    },
  );
});

describe("an application with routes of its own, on a server with a key", () => {
  const ways = serveBothWays({
    GRAPHLIB_APP: resolve(import.meta.dirname, "../api/apps/routes"),
    GRAPHLIB_API_KEY: KEY,
  });

  it.each([...ODD_PATHS, "/hello", "/echo", "/echo/deep?a=1&a=2", "/threads", "/cookies", "/stream"])(
    "gets the same answer both ways: %s",
    async (path) => {
      for (const method of ["GET", "POST", "DELETE", "HEAD", "OPTIONS"]) {
        await expectSame(ways(), { method, path, headers: { "x-api-key": KEY } });
        await expectSame(ways(), { method, path });
      }
    },
  );
});

/** Starts both ways before the tests of the `describe` around it. */
function serveBothWays(env: Record<string, string> = {}): () => Ways {
  let child: ChildProcess | undefined;
  let home = "";
  let ways: Ways = { own: "", next: "" };
  const errors: string[] = [];
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "graphlib-ways-"));
    child = spawn(process.execPath, [join(import.meta.dirname, "both-ways.ts")], {
      env: { PATH: process.env.PATH, NODE_ENV: "production", PORT: "0", GRAPHLIB_HOME: home, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => errors.push(text));
    for await (const line of createInterface(child.stdout ?? process.stdin)) {
      if (!line.startsWith("{")) continue;
      ways = JSON.parse(line) as Ways;
      break;
    }
    child.stdout?.resume();
    const headers: Record<string, string> = env.GRAPHLIB_API_KEY ? { "x-api-key": env.GRAPHLIB_API_KEY } : {};
    while (!(await fetch(`${ways.own}/ok`, { headers })).ok) await sleep(50);
    // The first card of a graph reads its schemas.
    await fetch(`${ways.own}/assistants/echo/schemas`, { headers });
  });
  afterAll(async () => {
    const ended = new Promise((done) => child?.once("exit", done));
    child?.kill("SIGTERM");
    await ended;
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
    const ours = errors
      .join("")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("[app] "));
    expect(ours).toEqual([]);
  });
  return () => ways;
}

async function expectSame(ways: Ways, sent: Sent): Promise<void> {
  const [own, next] = [await ask(ways.own, sent), await ask(ways.next, sent)];
  expect(own).toEqual(next);
}

function ask(base: string, { method, path, headers, body }: Sent, upTo: "end" | "headers" = "end"): Promise<Answer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, method, path, headers: { host: "localhost", ...headers } });
    sent.once("error", reject);
    sent.once("response", (answer) => void read(answer, upTo).then(resolve, reject));
    sent.end(body);
  });
}

async function read(answer: IncomingMessage, upTo: "end" | "headers"): Promise<Answer> {
  const { statusCode: status, headers } = answer;
  let body = "";
  if (upTo === "headers") answer.destroy();
  else for await (const piece of answer.setEncoding("utf8")) body += String(piece);
  return { status, headers: kept(headers), body: plain(body) };
}

/** Leaves out what differs between any two answers, and the header by which Next tells its own clients apart. */
function kept({ date: _date, "last-modified": _changed, ...headers }: IncomingMessage["headers"]): object {
  const vary = headers.vary
    ?.split(", ")
    .filter((name) => !/^(?:rsc|next-.*)$/.test(name))
    .join(", ");
  const all = { ...headers, vary: vary === "" ? undefined : vary };
  return JSON.parse(plain(JSON.stringify(all))) as object;
}

function plain(text: string): string {
  return (
    text
      .replace(UUID, "<id>")
      .replace(TIME, "<time>")
      // Each change of an assistant makes a version, and the other way was first.
      .replace(/"version":\d+/g, "<version>")
      .replace(/127\.0\.0\.1:\d+|"x-forwarded-port","\d+"|"x-forwarded-port":"\d+"/g, "<address>")
      .replace(/nonce-[\w+/=]+/g, "<nonce>")
      .replace(/\bnonce="[^"]*"/g, "<nonce>")
  );
}

type Operations = Readonly<Record<string, Pick<Operation, "method" | "path" | "body">>>;

/** Returns calls that a client may make of each operation, right and wrong ones. */
function attemptsOf(all: Operations, folder: string): [name: string, attempts: Sent[]][] {
  return Object.entries(all)
    .filter(([name]) => name !== "deploymentEvents")
    .map(([name, { method, path: template, body: schema }]) => {
      const path = fill(folder + template);
      const bodies = schema ? ["{}", "[]", `{"x":`, `{"limit":-1}`] : [undefined];
      const calls = bodies.map((body) => ({ method, path, body, headers: body === undefined ? {} : JSON_BODY }));
      const headers = { origin: "http://localhost:1" };
      const beside = ["HEAD", "OPTIONS"].map((other) => ({ method: other, path, headers }));
      return [name, [...calls, ...beside, { method, path: `${path}?limit=x&stream_mode=nonsense` }]];
    });
}

const NOBODY = "00000000-0000-4000-8000-000000000000";
const FILLED: Record<string, string> = { assistant_id: "agent", namespace: "sub", revision: "1", deployment: "none" };

function fill(path: string): string {
  return path.replaceAll(/\[(\w+)\]/g, (_all, name: string) => FILLED[name] ?? NOBODY);
}
