/** Tests servers that share a database: they execute each other's runs, and take over from those that are gone. */
import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call } from "../support/control.ts";
import { raw } from "../support/raw.ts";
import { hasRedis, startRedis } from "../support/own-redis.ts";
import { type SharingServers, sharingServers } from "../support/sharing-servers.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { callers } from "./a2a-callers.ts";
import { message, rawA2a, replyOf, results } from "./a2a-raw.ts";
import { halves } from "./apps/a2a/graphs.mjs";
import { type Gate, openGate } from "./gate.ts";

const app = resolve(import.meta.dirname, "apps/a2a");
const redis = hasRedis() ? await startRedis() : undefined;
const byDatabase = await sharingServers(app, "several");
const byRedis = await sharingServers(app, "bus", { REDIS_URL: redis?.url ?? "" });
afterAll(() => redis?.remove());

/** A person's message with the address at which the graph waits. */
const say = (content: string) => ({ messages: [{ role: "user", content }] });
const clientOf = ({ url }: TestServer): Client => new Client({ apiUrl: url, apiKey: null });

const GROUPS: { how: string; servers: SharingServers; skip: boolean }[] = [
  { how: "share a database", servers: byDatabase, skip: !byDatabase.isFound },
  { how: "share a database and Redis", servers: byRedis, skip: !byRedis.isFound || !redis },
];

describe.each(GROUPS.filter(({ skip }) => !skip))("servers that $how", ({ servers }) => {
  let asked: TestServer;
  let executor: TestServer;
  beforeAll(async () => {
    asked = await servers.start("api");
    executor = await servers.start("run");
  });
  afterAll(() => servers.close());

  /** Starts runs through the server that executes none, and reads them there. */
  async function startRuns(gate: Gate, count: number, counted = count) {
    const client = clientOf(asked);
    const started = Array.from({ length: count }, async () => {
      const { thread_id } = await client.threads.create();
      const { run_id } = await client.runs.create(thread_id, "halfway", {
        input: say(gate.url),
        streamMode: ["updates"],
      });
      return { thread_id, run_id, ids: followed(client, thread_id, run_id) };
    });
    const runs = await Promise.all(started);
    await gate.counted(counted);
    return runs;
  }

  async function followed(client: Client, thread: string, run: string): Promise<number[]> {
    const ids: number[] = [];
    for await (const part of client.runs.joinStream(thread, run, { lastEventId: "-1" })) ids.push(Number(part.id));
    return ids;
  }

  /** Expects that each run has succeeded, with one answer on its thread and consecutive events wherever they are read. */
  async function expectWhole(runs: Awaited<ReturnType<typeof startRuns>>, attempts: number): Promise<void> {
    for (const { thread_id, run_id, ids } of runs) {
      const read = await ids;
      expect(read).toEqual(read.map((_, index) => index));
      expect(await followed(clientOf(asked), thread_id, run_id)).toEqual(read);
      expect(await clientOf(asked).runs.get(thread_id, run_id)).toMatchObject({ status: "success", attempts });
      const { values } = await clientOf(asked).threads.getState<{ messages: { content: string }[] }>(thread_id);
      expect(values.messages.map(({ content }) => content).slice(1)).toEqual([halves]);
    }
    expect(await clientOf(asked).threads.count({ status: "busy" })).toBe(0);
  }

  test("execute the runs of each other, and read what the others have written", async () => {
    const [a, b] = [clientOf(asked), clientOf(executor)];
    const { thread_id } = await a.threads.create({ metadata: { of: "several" } });
    await a.runs.wait(thread_id, "ask", { input: say("go") });
    expect(await b.threads.get(thread_id)).toMatchObject({ status: "interrupted", metadata: { of: "several" } });
    await b.runs.wait(thread_id, "ask", { command: { resume: "yes" } });
    const state = await a.threads.getState(thread_id);
    expect(await b.threads.getState(thread_id)).toEqual(state);
    await a.threads.updateState(thread_id, { values: say("by hand") });
    expect(await b.threads.getState(thread_id)).toMatchObject({
      parent_checkpoint: { checkpoint_id: state.checkpoint.checkpoint_id },
    });
    const claims = await servers.read<{ executor: string }>(
      (table) => `select distinct executor from ${table("runs")}`,
    );
    expect(claims).toHaveLength(1);
    expect(claims[0]?.executor).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("end a run that is cancelled through another server, also for its readers", async () => {
    const gate = await openGate();
    const [run] = await startRuns(gate, 1);
    if (!run) throw new Error("no run was started");
    await clientOf(asked).runs.cancel(run.thread_id, run.run_id, true);
    expect(await clientOf(executor).runs.get(run.thread_id, run.run_id)).toMatchObject({ status: "interrupted" });
    expect((await run.ids).length).toBeGreaterThan(0);
    const { values } = await clientOf(asked).threads.get<{ messages: unknown[] }>(run.thread_id);
    expect(values).toMatchObject({ messages: [{ content: gate.url }] });
    await gate.close();
  });

  test("do the tasks of each other's A2A clients", async () => {
    const [a, b] = [rawA2a(() => asked), rawA2a(() => executor)];
    const task = await a.send("counts", message("hello"));
    expect(replyOf(task)).toEqual({ kind: "text", text: "1: hello" });
    expect(await b.get("counts", task.id)).toEqual(await a.get("counts", task.id));
    for (const [, connect] of callers) {
      const caller = await connect(`${asked.url}/a2a/words/`);
      expect(await caller.send("hello")).toMatchObject({ state: expect.stringMatching(/completed/i) });
    }
    const stream = await (await a.stream("words", "message/stream", message("hello"))).end();
    expect(results(stream).at(-1)).toMatchObject({ final: true, status: { state: "completed" } });
  });

  test("stop and start a deployment together, and tell of each other's processes in one log", async () => {
    const state = async (server: TestServer): Promise<string | undefined> =>
      (await call<{ status: string }>(server, "GET", "/deployments/default")).json.status;
    expect((await call(asked, "POST", "/deployments/default/stop", {})).status).toBeLessThan(300);
    // A run would be stored if the other server did not know of the stop yet, and its answer would wait for the start.
    const answerTo = async (path: string, request: object): Promise<string> => {
      const { status, text } = await raw(`${executor.url}${path}`, { body: JSON.stringify(request) });
      return `${status} ${text}`;
    };
    await expect.poll(() => answerTo("/assistants/search", {}), { timeout: 20_000 }).toMatch(/^503 .*stopped/);
    const run = { assistant_id: "counts", input: say("hello") };
    expect(await answerTo("/runs/wait", run)).toMatch(/^503 .*stopped/);
    expect((await call(executor, "POST", "/deployments/default/start", {})).status).toBeLessThan(300);
    for (const server of [asked, executor]) await expect.poll(() => state(server), { timeout: 20_000 }).toBe("ready");
    expect(await clientOf(asked).runs.wait(null, "counts", { input: say("hello") })).toMatchObject({
      messages: [{ content: "hello" }, { content: "1: hello" }],
    });
    const starts = async (): Promise<number> => {
      const { text } = await raw(`${asked.url}/api/deployments/default/log?limit=200`);
      return text.match(/worker ready/g)?.length ?? 0;
    };
    await expect.poll(starts, { timeout: 20_000 }).toBeGreaterThanOrEqual(4);
  });

  test("leave no database to a server that wants it for itself", async () => {
    const { env } = servers;
    const alone = await startServer({ app, env }).then(String, String);
    expect(alone).toContain("is shared by servers with GRAPHLIB_ROLES");
    expect((await fetch(`${asked.url}/ok`)).status).toBe(200);
  });

  test("take over the runs of a server that was killed, and lose and repeat no event", async () => {
    const gate = await openGate();
    const runs = await startRuns(gate, 5);
    const withoutThread = clientOf(asked)
      .runs.wait(null, "halfway", { input: say(gate.url) })
      .then(String, String);
    await gate.counted(6);
    const next = await servers.start("run,build");
    await executor.crash();
    executor = next;
    await gate.counted(11);
    gate.open();
    await expectWhole(runs, 2);
    const crashes = await servers.read((table) => `select distinct crashes::int from ${table("runs")} where token = 2`);
    expect(crashes).toEqual([{ crashes: 1 }]);
    expect(await withoutThread).toContain("The server that executed this run is gone");
    await gate.close();
  });

  test.skipIf(servers === byDatabase)("go on without Redis, and with it when it is back", async () => {
    const gate = await openGate();
    const before = await startRuns(gate, 2);
    await redis?.stop();
    const during = await startRuns(gate, 2, 4);
    gate.open();
    await expectWhole([...before, ...during], 1);
    await redis?.start();
    await expect.poll(() => executor.output(), { timeout: 20_000 }).toContain("Redis is in reach again");
    await expectWhole(await startRuns(gate, 2), 1);
    await gate.close();
  });

  test("refuse what a server writes that was stopped for longer than its lease", async () => {
    const gate = await openGate();
    const runs = await startRuns(gate, 3);
    process.kill(executor.pid, "SIGSTOP");
    const next = await servers.start("run");
    await gate.counted(6);
    gate.open();
    await expectWhole(runs, 2);
    process.kill(executor.pid, "SIGCONT");
    await expect.poll(() => executor.output(), { timeout: 20_000 }).toContain("this server has a lease again");
    await expectWhole(runs, 2);
    await next.drain();
    // The server that was stopped executes runs again.
    const again = await startRuns(gate, 1);
    await expectWhole(again, 1);
    await gate.close();
  });

  test("hand over the runs of a server that ends, which costs no attempt", async () => {
    const gate = await openGate();
    const runs = await startRuns(gate, 3);
    const next = await servers.start("run");
    expect(await executor.drain()).toBe(0);
    executor = next;
    await gate.counted(6);
    gate.open();
    await expectWhole(runs, 2);
    const ids = runs.map(({ run_id }) => `'${run_id}'`).join();
    const crashes = await servers.read((table) => `select crashes::int from ${table("runs")} where run_id in (${ids})`);
    expect(crashes.map(({ crashes: count }) => count)).toEqual([0, 0, 0]);
    await gate.close();
  });
});

describe("a server that is to share a database", () => {
  const refusalOf = (env: Record<string, string>): Promise<string> => startServer({ app, env }).then(String, String);

  test("refuses to start without one", async () => {
    expect(await refusalOf({ GRAPHLIB_ROLES: "run" })).toContain("Set DATABASE_URL to it");
  });

  test("refuses to start without a secret that the others have too", async () => {
    const url = "postgres://somebody@127.0.0.1:1/test";
    expect(await refusalOf({ GRAPHLIB_ROLES: "run", DATABASE_URL: url })).toContain(
      "GRAPHLIB_ROLES needs GRAPHLIB_SECRET",
    );
  });

  test("refuses roles that there are not", async () => {
    expect(await refusalOf({ GRAPHLIB_ROLES: "api, cook" })).toContain("expected some of api,run,build");
  });

  test.skipIf(!byDatabase.isFound)("refuses a database that another one has for itself", async () => {
    const alone = await sharingServers(app, "alone");
    const first = await startServer({ app, env: alone.env });
    const second = await alone.start("run").then(String, String);
    expect(second).toContain("that has it for itself");
    expect((await fetch(`${first.url}/ok`)).status).toBe(200);
    await first.stop();
    await alone.close();
  });
});
