/** A server whose connection to PostgreSQL breaks at each commit of a run, one after the other. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LossyDatabase, startLossyDatabase } from "../support/lossy-database.ts";
import { findPostgres, queryPostgres } from "../support/postgres.ts";
import { startServer, type TestServer } from "../support/server.ts";

const found = await findPostgres();
const url = found ?? "";
const prefix = `graphlib_lost_${process.pid}`;
const folder = mkdtempSync(join(tmpdir(), "graphlib-lost-"));
const traceFile = join(folder, "trace");

describe.skipIf(found === undefined)("a run does not notice that its", () => {
  let database: LossyDatabase;
  let server: TestServer;
  let client: Client;
  beforeAll(async () => {
    database = await startLossyDatabase(url);
    const env = { DATABASE_URL: database.url, DATABASE_SCHEMA: prefix, TRACE_FILE: traceFile };
    server = await startServer({ app: resolve(import.meta.dirname, "apps/durable"), env });
    client = new Client({ apiUrl: server.url, apiKey: null, callerOptions: { maxRetries: 0 } });
  });
  afterAll(async () => {
    await server.stop();
    await database.close();
    for (const name of ["default", "platform"])
      await queryPostgres(url, `drop schema if exists "${prefix}_${name}" cascade`);
    rmSync(folder, { recursive: true });
  });

  test.each(["lost", "unanswered", "late"] as const)("commits are %s, whichever", async (how) => {
    for (let commits = 0; ; commits++) {
      const { thread_id } = await client.threads.create();
      database.lose(how, commits);
      const parts: unknown[] = [];
      let runId: string | undefined;
      const onRunCreated = (run: { run_id: string }): void => void (runId = run.run_id);
      const options = {
        input: {},
        streamMode: "updates",
        durability: "sync",
        streamResumable: true,
        onRunCreated,
      } as const;
      for await (const { event, data } of client.runs.stream(thread_id, "count", options)) parts.push({ event, data });
      expect(parts.slice(1)).toEqual(
        ["a", "b", "c"].map((node) => ({ event: "updates", data: { [node]: { done: [node] } } })),
      );
      const { status } = await client.runs.get(thread_id, runId ?? "");
      expect(status).toBe("success");
      expect((await client.threads.get<{ done: string[] }>(thread_id)).values.done).toEqual(["a", "b", "c"]);
      expect(nodesOf(runId)).toEqual(["a", "b", "c"]);
      await expect.poll(async () => (await client.threads.get(thread_id)).status).toBe("idle");
      if (!database.hasLost()) {
        expect(commits).toBeGreaterThan(4);
        return;
      }
    }
  });

  const nodesOf = (runId: string | undefined): string[] =>
    readFileSync(traceFile, "utf8")
      .split("\n")
      .filter((line) => line.startsWith(`${runId} `))
      .map((line) => line.split(" ")[1] ?? "");
});
