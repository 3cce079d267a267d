import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { noWorker } from "../../lib/drivers/workers/no-worker.ts";
import { requireWorking } from "../../lib/engine/deployments.ts";
import { call, untilState } from "../support/control.ts";
import { useServer } from "../support/use-server.ts";

const folder = mkdtempSync(join(tmpdir(), "graphlib-unserved-"));
const app = join(folder, "app");
const server = useServer({ own: true });

beforeAll(() => {
  cpSync(join(import.meta.dirname, "apps", "one"), app, { recursive: true });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

/** Sends one request of each kind: runs, threads, assistants, store, A2A, card and an unknown path. */
async function answers(name: string): Promise<{ status: number; text: string; after: string | null }[]> {
  const url = `${server.url}/agents/${name}`;
  const post = (body: object): RequestInit => ({
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const run = post({ assistant_id: "agent", input: {} });
  const message = { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "hi" }] };
  const requests: [string, RequestInit?][] = [
    ["/runs/wait", run],
    ["/runs/stream", run],
    ["/runs", run],
    ["/threads", post({})],
    ["/threads/search", post({})],
    ["/assistants/search", post({})],
    ["/assistants/agent"],
    ["/store/items?key=a"],
    ["/a2a/agent", post({ jsonrpc: "2.0", id: 1, method: "message/send", params: { message } })],
    ["/a2a/agent/.well-known/agent-card.json"],
    ["/of-nobody"],
  ];
  return await Promise.all(
    requests.map(async ([path, init]) => {
      const answer = await fetch(url + path, init);
      return { status: answer.status, text: await answer.text(), after: answer.headers.get("retry-after") };
    }),
  );
}

async function expectRefused(name: string, words: string, after: string | null): Promise<void> {
  const all = await answers(name);
  expect(all.map((one) => one.status)).toEqual(all.map(() => 503));
  for (const one of all) {
    expect(one.text.replaceAll(String.raw`\"`, '"')).toContain(`Deployment "${name}" ${words}`);
    expect(one.after).toBe(after);
  }
  const health = await fetch(`${server.url}/agents/${name}/ok`);
  expect(health.status).toBe(503);
  expect((await fetch(`${server.url}/agents/${name}/info`)).status).toBe(200);
}

test("a deployment that was never live answers 503 with the reason, and an unknown one 404", async () => {
  const broken = join(folder, "broken");
  cpSync(app, broken, { recursive: true });
  writeFileSync(join(broken, "graphlib.json"), "{");
  await call(server, "POST", "/deployments", { name: "broken", source: { type: "folder", path: broken } });
  await untilState(server, "broken", ["config_failed"]);
  // Requests are answered by the state that the server holds, which it reads just after the build's end is stored.
  await expect.poll(async () => (await answers("broken"))[0]?.after).toBeNull();
  await expectRefused("broken", "has no revision that serves: revision 1 is not built (config failed).", null);
  const none = await answers("nobody");
  expect(none.map((one) => one.status)).toEqual(none.map(() => 404));
  expect(none[0]?.text).toBe('No deployment named "nobody"');
});

test("a deployment that is stopped answers 503 with what to do, to clients of both kinds", async () => {
  const source = { type: "folder", path: app, in_place: true };
  await call(server, "POST", "/deployments", { name: "resting", source });
  await untilState(server, "resting", ["live"]);
  const client = new Client({ apiUrl: `${server.url}/agents/resting`, callerOptions: { maxRetries: 0 } });
  const { thread_id } = await client.threads.create();
  await call(server, "POST", "/deployments/resting/stop", {});
  await expectRefused("resting", "is stopped. Start it in the console to use it again.", null);
  await expect(client.threads.get(thread_id)).rejects.toThrow('HTTP 503: Deployment "resting" is stopped.');
  await call(server, "POST", "/deployments/resting/start", {});
  await expect.poll(async () => (await fetch(`${server.url}/agents/resting/ok`)).status, { timeout: 30_000 }).toBe(200);
  expect((await client.threads.get(thread_id)).thread_id).toBe(thread_id);
});

test("code that keeps crashing takes no runs", () => {
  const worker = noWorker("exit code 1");
  expect(() => requireWorking({ name: "bot", worker })).toThrow('The code of deployment "bot" keeps crashing.');
  const starting = noWorker("not yet", { status: "starting", attempt: 1 });
  expect(() => requireWorking({ name: "bot", worker: starting })).not.toThrow();
});
