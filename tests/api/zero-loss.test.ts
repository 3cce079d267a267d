/** Changes a deployment under load: to new code, back, and to another environment. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Revision } from "../../lib/protocol/revisions.ts";
import { call, untilState } from "../support/control.ts";
import { raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const REQUESTS = 10_000;
const AT_A_TIME = 50;
/**
 * The pause of each sender between two requests while a change is under way, which leaves processor time for the
 * change.
 */
const PAUSE_MS = 50;
/** Longer than a run of `quick` takes, and shorter than one of `patient` is held. */
const GRACE_S = 5;

const folder = mkdtempSync(join(tmpdir(), "graphlib-zero-loss-"));
const server = useServer({ own: true, env: { GRAPHLIB_GRACE_SECONDS: String(GRACE_S) } });
let holder: Awaited<ReturnType<typeof serveHolder>>;

beforeAll(async () => {
  cpSync(join(import.meta.dirname, "apps", "switched"), folder, { recursive: true });
  holder = await serveHolder();
  const environment = { variables: { MARK: "", HOLDER: holder.url } };
  await call(server, "POST", "/deployments", { name: "bot", source: { type: "folder", path: folder }, environment });
  await untilState(server, "bot", ["live"]);
});
afterAll(async () => {
  await holder.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Records the path of each request, which names the process, and responds only after `release`. */
async function serveHolder() {
  const requests: string[] = [];
  const waiting: ServerResponse[] = [];
  let free = false;
  const http = createServer((request, response) => {
    requests.push(request.url ?? "");
    if (free) response.end();
    else waiting.push(response);
  });
  await new Promise<void>((listening) => http.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    release() {
      free = true;
      for (const response of waiting) response.end();
    },
    close: () => new Promise<unknown>((closed) => http.closeAllConnections() ?? http.close(closed)),
  };
}

const newest = async (): Promise<Revision | undefined> =>
  (await call<Revision[]>(server, "GET", "/deployments/bot/revisions?limit=1")).json[0];

/** Waits until the revision of this number is live. */
async function live(number: number): Promise<void> {
  await expect.poll(async () => (await newest())?.number, { timeout: 200_000 }).toBe(number);
  await untilState(server, "bot", ["live"]);
}

const changes: (() => Promise<unknown>)[] = [
  () => {
    writeFileSync(join(folder, "version.mjs"), 'export const version = "two";\n');
    return call(server, "POST", "/deployments/bot/revisions", {});
  },
  () => call(server, "POST", "/deployments/bot/rollback", { revision: 1 }),
  () => call(server, "PATCH", "/deployments/bot/environment", { variables: { MARK: "!" } }),
];

/** One request of each kind. The application's code answers those to `/runs/wait`. */
function requestOf(index: number): { path: string; body?: string } {
  if (index % 10 === 0)
    return { path: "/runs/wait", body: JSON.stringify({ assistant_id: "quick", input: { n: index } }) };
  const others = [
    { path: "/ok" },
    { path: "/info" },
    { path: "/assistants/quick" },
    { path: "/assistants/search", body: "{}" },
    { path: "/threads", body: "{}" },
    { path: "/threads/search", body: '{"limit":1}' },
  ];
  return others[index % others.length] ?? { path: "/ok" };
}

test(`of ${REQUESTS} requests during a switch, a rollback and a change of the environment none is refused`, async () => {
  const url = `${server.url}/agents/bot`;
  const statuses = new Map<string, number>();
  const replies: string[] = [];
  let sent = 0;
  let changing = true;
  const sender = async (): Promise<void> => {
    while (sent < REQUESTS || changing) {
      const { path, body } = requestOf(sent++);
      const { status, text } = await raw(url + path, { body });
      const key = status === 200 ? "200" : `${path} ${status} ${text}`;
      statuses.set(key, (statuses.get(key) ?? 0) + 1);
      if (path === "/runs/wait") replies.push((JSON.parse(text) as { said: string }).said);
      if (changing) await sleep(PAUSE_MS);
    }
  };
  const senders = Array.from({ length: AT_A_TIME }, sender);
  for (const [index, change] of changes.entries()) {
    await change();
    await live(index + 2);
  }
  changing = false;
  await Promise.all(senders);
  expect([...statuses.keys()]).toEqual(["200"]);
  expect(statuses.get("200")).toBeGreaterThanOrEqual(REQUESTS);
  expect(new Set(replies)).toEqual(new Set(["one", "two", "one!"]));
  const last = await raw(`${url}/runs/wait`, { body: requestOf(0).body });
  expect(JSON.parse(last.text)).toMatchObject({ said: "one!" });
}, 600_000);

test("a run that outlasts the change and the grace period continues in the new process", async () => {
  const client = new Client({ apiUrl: `${server.url}/agents/bot` });
  const { thread_id } = await client.threads.create();
  const long = client.runs.wait(thread_id, "patient", { input: { n: 1 } });
  const short = client.runs.wait(null, "quick", { input: { n: 1, ms: 1_000 } });
  await expect.poll(() => holder.requests.length, { timeout: 60_000 }).toBe(1);
  await call(server, "PATCH", "/deployments/bot/environment", { variables: { MARK: "?" } });
  // It started in the old process, which has more than a second for it.
  expect(await short).toMatchObject({ said: "one!" });
  await expect.poll(() => holder.requests.length, { timeout: 60_000 }).toBe(2);
  holder.release();
  expect(new Set(holder.requests).size).toBe(2);
  // Its first step was done before the change, and is not repeated.
  expect(await long).toMatchObject({ before: "one!", said: "one?" });
}, 600_000);
