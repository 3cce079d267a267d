import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { json, raw, rawStream } from "../support/raw.ts";
import { startServer, type TestServer } from "../support/server.ts";

const app = resolve(import.meta.dirname, "apps/modes");
const input = { messages: [{ role: "user", content: "hello" }] };
const run = (assistant_id: string, more: object = {}): { body: string } => ({
  body: JSON.stringify({ assistant_id, input, stream_mode: "custom", ...more }),
});

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ app });
});
afterAll(() => server.stop());

/** The process ids of a server's children (Linux). */
const isWorker = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("lib/worker/main.ts");
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);

describe("a worker that is killed during a run", () => {
  test("ends the run's stream with an error event, and is started again at once for the next run", async () => {
    const answer = await rawStream(`${server.url}/runs/stream`, run("slow"));
    await answer.until((event) => event.event === "custom");
    const worker = childrenOf(server.pid).find(isWorker);
    if (worker === undefined) throw new Error("there is no worker");
    process.kill(worker, "SIGKILL");
    const last = (await answer.end()).at(-1);
    expect(last?.event).toBe("error");
    expect(JSON.parse(last?.data ?? "")).toMatchObject({
      error: "WorkerCrashed",
      message: expect.stringContaining("SIGKILL"),
    });
    const next = await raw(`${server.url}/runs/stream`, run("custom"));
    expect(next.text).toContain('{"progress":3}');
    // `npm run bench` measures how long that takes.
    await expect.poll(() => server.output()).toContain("signal SIGKILL; starts again in 0.1 s");
  });

  test("by a graph's own process.exit does not affect pages or other requests", async () => {
    const answer = await raw(`${server.url}/runs/stream`, run("exits"));
    expect(answer.text).toMatch(/event: error\ndata: .*exit code 7/);
    expect((await raw(`${server.url}/info`)).status).toBe(200);
    expect((await raw(`${server.url}/runs/wait`, run("chat"))).text).toContain("Hi!");
  });
});

test("200 clients that leave during a stream, over 20 connections, disturb no other stream and leave no run", async () => {
  const undisturbed = await rawStream(`${server.url}/runs/stream`, run("slow", { on_disconnect: "cancel" }));
  const visit = async (): Promise<void> => {
    const answer = await rawStream(`${server.url}/runs/stream`, run("slow", { on_disconnect: "cancel" }));
    await answer.until((event) => event.event === "custom");
    answer.leave();
  };
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let visits = 0; visits < 10; visits++) await visit();
    }),
  );
  const ticks = undisturbed.events().filter((event) => event.event === "custom");
  expect(ticks.map((event) => event.data)).toEqual(ticks.map((_, tick) => `{"tick":${tick}}`));
  undisturbed.leave();
  // Every abandoned run has been cancelled.
  await expect.poll(() => activeRuns(server), { timeout: 5_000 }).toBe(0);
});

/** Counts pending and running runs in the server's own database. */
async function activeRuns({ home }: TestServer): Promise<number> {
  const { default: Sqlite } = await import("better-sqlite3");
  const database = new Sqlite(`${home}/deployments/default/database.sqlite`, { readonly: true });
  try {
    const row = database.prepare<[], { n: number }>("select count(*) as n from runs where ended is null").get();
    return row?.n ?? -1;
  } finally {
    database.close();
  }
}

describe("a server that is killed", () => {
  test("ends its running runs with a reason when it starts again on the same home", async () => {
    const answer = await rawStream(`${server.url}/runs/stream`, run("slow", { stream_resumable: true }));
    await answer.until((event) => event.data === '{"tick":3}');
    await server.crash();
    server = await startServer({ app, home: server.home });
    const joined = await rawStream(`${server.url}${answer.headers["content-location"]}/stream`, {
      headers: { "last-event-id": "-1" },
    });
    const events = await joined.end();
    expect(joined.text().startsWith(answer.text())).toBe(true);
    expect(JSON.parse(events.at(-1)?.data ?? "")).toMatchObject({ error: "ServerRestarted" });
    expect(await activeRuns(server)).toBe(0);
  });

  test("does not continue cancelled runs", async () => {
    const thread = json<{ thread_id: string }>(await raw(`${server.url}/threads`, { body: "{}" }));
    const path = `/threads/${thread.thread_id}/runs`;
    const answer = await rawStream(server.url + path + "/stream", run("slow"));
    await answer.until((event) => event.data === '{"tick":1}');
    const [first] = json<{ run_id: string }[]>(await raw(server.url + path));
    expect((await raw(`${server.url}${path}/${first?.run_id}/cancel?wait=false`, { body: "{}" })).status).toBe(202);
    await server.crash();
    server = await startServer({ app, home: server.home });
    const after = json<{ status: string }>(await raw(`${server.url}${path}/${first?.run_id}`));
    expect(after.status).toBe("interrupted");
    expect(await activeRuns(server)).toBe(0);
  });

  test("leaves no worker behind", async () => {
    // The worker, and the shell that ends it.
    const children = childrenOf(server.pid);
    expect(children.length).toBe(2);
    await server.crash();
    await expect.poll(() => children.filter(isAlive), { timeout: 5_000 }).toEqual([]);
    server = await startServer({ app, home: server.home });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("SIGTERM lets runs finish, ends all processes and exits with 0", async () => {
  const answer = await rawStream(`${server.url}/runs/stream`, run("chat", { stream_mode: "values" }));
  const children = childrenOf(server.pid);
  const stopped = server.stop();
  expect((await answer.end()).at(-1)?.event).toBe("values");
  expect(await stopped).toBe(0);
  await expect.poll(() => children.filter(isAlive), { timeout: 5_000 }).toEqual([]);
  server = await startServer({ app });
});

test("a server whose output is closed still serves, and uses little processor time when idle", async () => {
  server.closeOutput();
  const answer = await raw(`${server.url}/runs/stream`, run("failing"));
  expect(answer.text).toContain("kaput");
  const before = cpuMs(server.pid);
  await pause(1_000);
  expect(cpuMs(server.pid) - before).toBeLessThan(500);
  expect((await raw(`${server.url}/runs/wait`, run("chat"))).text).toContain("Hi!");
});

/** Returns the processor time of a process, in ms (Linux; a tick is 10 ms). */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

test("a second server on the same home refuses to start and gives the reason", async () => {
  await expect(startServer({ app, home: server.home })).rejects.toThrow(/in use by another Graphlib server/);
});

describe("an application with a broken part", () => {
  test("serves the rest, and reports which graph is broken and why, without a path of the machine", async () => {
    const broken = await startServer({ app: resolve(import.meta.dirname, "apps/broken") });
    try {
      const health = json<{ ok: boolean; problems: { graph: string; error: string; message: string; path: string }[] }>(
        await raw(`${broken.url}/ok`),
      );
      expect(health.ok).toBe(true);
      const problems = new Map(health.problems.map((problem) => [problem.graph, problem]));
      expect(problems.get("syntax")).toMatchObject({ error: "SyntaxError", path: "./syntax.mjs" });
      expect(problems.get("missing")?.message).toMatch(/nothing.*graph/s);
      expect(problems.get("throws")).toMatchObject({ error: "TypeError", message: "no database" });
      expect([...problems.keys()].toSorted()).toEqual(["absent", "missing", "syntax", "throws"]);
      expect(JSON.stringify(health)).not.toContain(import.meta.dirname);
      expect((await raw(`${broken.url}/runs/wait`, run("good"))).text).toContain("fine");
      const failed = await raw(`${broken.url}/runs/stream`, run("throws"));
      expect(failed.text).toMatch(/event: error\ndata: .*no database/);
    } finally {
      await broken.stop();
    }
  });

  test("without a configuration leaves the server up, with a fix", async () => {
    const none = await startServer({ app: resolve(import.meta.dirname, "apps") });
    try {
      const health = await raw(`${none.url}/ok`);
      expect(health.status).toBe(503);
      expect(health.text).toMatch(/No graphlib\.json or langgraph\.json/);
      expect((await raw(`${none.url}/`)).status).toBe(200);
    } finally {
      await none.stop();
    }
  });
});
