import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, untilState } from "../support/control.ts";
import { queryPostgres, findPostgres } from "../support/postgres.ts";
import { startServer, type TestServer } from "../support/server.ts";

const url = await findPostgres();
const prefix = `graphlib_deleted_${process.pid}`;
const databases: { name: string; env: Record<string, string> }[] = [
  { name: "SQLite", env: {} },
  ...(url === undefined ? [] : [{ name: "PostgreSQL", env: { DATABASE_URL: url, DATABASE_SCHEMA: prefix } }]),
];
const source = { type: "folder", path: resolve(import.meta.dirname, "apps/one"), in_place: true };

afterAll(async () => {
  if (url === undefined) return;
  for (const name of ["default", "platform", "again"]) {
    await queryPostgres(url, `drop schema if exists "${prefix}_${name}" cascade`);
  }
});

describe.each(databases)("a deployment that is deleted in $name", ({ env }) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ env });
  });
  afterAll(() => server.stop());

  test("leaves no data for the next one of its name", async () => {
    const client = new Client({ apiUrl: `${server.url}/agents/again`, apiKey: null });
    await call(server, "POST", "/deployments", { name: "again", source });
    await untilState(server, "again", ["live"]);
    const { thread_id } = await client.threads.create({ metadata: { team: "blue" } });
    await client.store.putItem(["notes"], "one", { text: "kept" });
    expect((await call(server, "DELETE", "/deployments/again?confirm=again")).status).toBe(204);
    expect(existsSync(join(server.home, "deployments", "again"))).toBe(false);

    await call(server, "POST", "/deployments", { name: "again", source });
    await untilState(server, "again", ["live"]);
    expect(await client.threads.search()).toEqual([]);
    await expect(client.threads.get(thread_id)).rejects.toThrow("404");
    expect((await client.store.searchItems([])).items).toEqual([]);
  });
});
