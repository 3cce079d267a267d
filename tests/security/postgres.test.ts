import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { queryPostgres, findPostgres } from "../support/postgres.ts";
import { startServer, type TestServer } from "../support/server.ts";

const url = await findPostgres();
const prefix = `graphlib_hostile_${process.pid}`;

/** Texts that a database may interpret. */
const TEXTS = [
  "\u0000",
  "a\u0000b",
  "\uD800",
  "\uDC00x",
  "\uFFFF",
  "'; drop table threads; --",
  `" or 1=1 --`,
  "\\",
  "\\u0000",
  "%",
  "_%_",
  "$1",
  "?",
  ":name",
  "$$",
  "{}",
  "[]",
  "null",
  "__proto__",
  "constructor",
  "toString",
  "$gt",
  "a.b",
  "a->>'b'",
  "{a,b}",
  "\u202E",
  "é".repeat(3_000),
  // No two blocks are alike, so an index cannot compress it.
  Array.from({ length: 3_000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000))).join(""),
];
/** Numbers in JSON, some of which JavaScript cannot represent. */
const NUMBERS = ["1e308", "-1e308", "1e400", "5e-324", "-0", "9223372036854775808", "0.1e-7", "9".repeat(400)];

interface ApiCall {
  method?: string;
  path: string;
  body?: string;
}

/** Calls that carry a text, or any JSON, into a statement. */
function calls(json: string, text: string): ApiCall[] {
  const key = JSON.stringify(text);
  const inUrl = encodeURIComponent(text.toWellFormed());
  return [
    { path: "/threads", body: `{"metadata":{${key}:${json}}}` },
    { path: "/threads/search", body: `{"metadata":{${key}:${json}}}` },
    { path: "/threads/search", body: `{"values":{${key}:${json}}}` },
    { path: "/threads/search", body: `{"metadata":{"a":[${json},{${key}:${json}}]}}` },
    { path: "/threads/count", body: `{"metadata":{${key}:${json}}}` },
    { path: "/threads/search", body: `{"sort_by":${key},"limit":1}` },
    {
      path: "/assistants",
      body: `{"graph_id":"echo","name":${key},"metadata":{${key}:${json}},"context":{${key}:${json}}}`,
    },
    { path: "/assistants/search", body: `{"name":${key},"metadata":{${key}:${json}}}` },
    { path: "/store/items", method: "PUT", body: `{"namespace":["n",${key}],"key":${key},"value":{${key}:${json}}}` },
    { path: "/store/items", method: "PUT", body: `{"namespace":["n"],"key":"k","value":{"v":${json}}}` },
    { path: `/store/items?namespace=n&key=${inUrl}`, method: "GET" },
    { path: "/store/items/search", body: `{"namespace_prefix":["n",${key}],"filter":{${key}:${json}}}` },
    { path: "/store/items/search", body: `{"namespace_prefix":["n"],"filter":{${key}:{"$gt":${json}}}}` },
    { path: "/store/items/search", body: `{"namespace_prefix":["n"],"filter":{"v":{"$lte":${json},"$ne":${json}}}}` },
    { path: "/store/namespaces", body: `{"prefix":[${key},"*"],"suffix":[${key}],"max_depth":${json}}` },
    { path: "/store/items", method: "DELETE", body: `{"namespace":["n",${key}],"key":${key}}` },
    { path: "/runs/crons/search", body: `{"assistant_id":${key},"metadata":{${key}:${json}}}` },
    { path: "/runs/wait", body: `{"assistant_id":"echo","input":{"messages":[]},"metadata":{${key}:${json}}}` },
    { path: `/threads/${inUrl}`, method: "GET" },
    { path: `/threads/${inUrl}/history?limit=1`, method: "GET" },
    { path: `/assistants/${inUrl}`, method: "GET" },
    {
      path: "/a2a/echo",
      body: `{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{"contextId":${key},"pageToken":${key}}}`,
    },
    {
      path: "/a2a/echo",
      body: `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":${key},"historyLength":${json}}}`,
    },
    { path: `/api/deployments/${inUrl}`, method: "GET" },
    { path: `/api/deployments/default/log?after=${inUrl}`, method: "GET" },
  ];
}

const PAGES = ["9007199254740991", "9007199254740993", "1e18", "2147483648", "-1", "0"].flatMap((number): ApiCall[] => [
  { path: "/threads/search", body: `{"limit":1,"offset":${number}}` },
  { path: "/threads/search", body: `{"limit":${number}}` },
  { path: "/store/items/search", body: `{"namespace_prefix":[],"limit":${number},"offset":${number}}` },
  { path: "/store/namespaces", body: `{"limit":1,"offset":${number},"max_depth":${number}}` },
  { path: "/store/items", method: "PUT", body: `{"namespace":["n"],"key":"k","value":{},"ttl":${number}}` },
  { path: `/api/deployments/default/log?after=${number}`, method: "GET" },
  { path: `/api/deployments/default/revisions?before=${number}`, method: "GET" },
  { path: `/api/deployments/default/revisions/${number}`, method: "GET" },
]);

async function sendCall(server: TestServer, { method = "POST", path, body }: ApiCall): Promise<number> {
  const answer = await fetch(server.url + path, {
    method,
    ...(body !== undefined && { body, headers: { "content-type": "application/json" } }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** Sends 40 calls at a time, so that the server's connections must wait for each other. */
async function sendCalls(server: TestServer, all: readonly ApiCall[]): Promise<string[]> {
  const waiting = [...all];
  const broken: string[] = [];
  const work = async (): Promise<void> => {
    for (let call = waiting.shift(); call; call = waiting.shift()) {
      const status = await sendCall(server, call);
      if (status >= 500) broken.push(`${status} ${call.method ?? "POST"} ${call.path} ${call.body?.slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: 40 }, work));
  return broken;
}

const databases: { name: string; env: Record<string, string> }[] = [
  { name: "SQLite", env: {} },
  ...(url === undefined ? [] : [{ name: "PostgreSQL", env: { DATABASE_URL: url, DATABASE_SCHEMA: prefix } }]),
];

describe.each(databases)("hostile values in $name", ({ name, env }) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ env });
  });
  afterAll(async () => {
    await server.stop();
    if (url === undefined || name === "SQLite") return;
    for (const schema of ["default", "platform"])
      await queryPostgres(url, `drop schema if exists "${prefix}_${schema}" cascade`);
  });

  test("are stored or refused by every call, without a 5xx", async () => {
    const all = [
      ...TEXTS.flatMap((text) => calls(JSON.stringify(text), text)),
      ...NUMBERS.flatMap((number) => calls(number, "number")),
      ...PAGES,
    ];
    expect(await sendCalls(server, all)).toEqual([]);
    expect((await fetch(`${server.url}/ok`)).status).toBe(200);
    expect(server.output()).not.toMatch(/nhandled/);
  }, 300_000);

  test("are returned as they were sent, and find only equal values", async () => {
    const post = async (path: string, body: object): Promise<unknown> => {
      const answer = await fetch(server.url + path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      });
      return await answer.json();
    };
    for (const text of ["'; drop table threads; --", "%", "_", "__proto__", "\\", "a.b", "{a,b}", "$1"]) {
      const metadata = JSON.parse(`{${JSON.stringify(text)}:${JSON.stringify(text)},"mark":"same"}`) as object;
      const made = await post("/threads", { metadata });
      expect(JSON.stringify((made as { metadata: object }).metadata)).toContain(JSON.stringify(text));
      expect(await post("/threads/search", { metadata })).toHaveLength(1);
    }
    expect(await post("/threads/search", { metadata: { mark: "%" } })).toEqual([]);
    expect(await post("/threads/search", { metadata: { mark: "s_me" } })).toEqual([]);
  });

  test.runIf(name === "PostgreSQL")(
    "open no more connections than the pool has, which all databases share",
    async () => {
      const search = { path: "/threads/search", body: "{}" };
      await sendCalls(
        server,
        Array.from({ length: 400 }, () => search),
      );
      const [open] = await queryPostgres<{ count: string }>(
        url ?? "",
        "select count(*) from pg_stat_activity where application_name like $1",
        [`graphlib ${prefix}%`],
      );
      // The pool, and one that locks the schemas.
      expect(Number(open?.count)).toBeLessThanOrEqual(11);
      expect(Number(open?.count)).toBeGreaterThan(0);
    },
  );
});
