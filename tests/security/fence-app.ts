/** Calls the application `apps/fence`, which tries requested operations. */
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { expect } from "vitest";
import type { Revision } from "../../lib/protocol/revisions.ts";
import { tarGz } from "../support/archives.ts";
import { call, untilState } from "../support/control.ts";
import type { TestServer } from "../support/server.ts";

const app = join(import.meta.dirname, "apps", "fence");
export const KEY = "a-key-of-the-platform-0123456789abcdef";
export const headers = { "x-api-key": KEY };
export const ALLOWED = { child_processes: true, addons: true };

export type Operation = readonly [what: string, ...how: string[]];
export type OperationResult = { got: string } | { refused: string };

export async function tryOperations(
  server: TestServer,
  name: string,
  operations: readonly Operation[],
): Promise<OperationResult[]> {
  const client = new Client({ apiUrl: `${server.url}/agents/${name}`, apiKey: KEY });
  const values = (await client.runs.wait(null, "hostile", { input: { ask: operations } })) as {
    answers: OperationResult[];
  };
  return values.answers;
}

export async function runOperation(server: TestServer, name: string, ...operation: Operation): Promise<string> {
  const [result] = await tryOperations(server, name, [operation]);
  if (result && "got" in result) return result.got;
  throw new Error(result?.refused ?? "no answer");
}

export async function archive(server: TestServer): Promise<{ type: "upload"; upload_id: string }> {
  const entries = await Promise.all(
    readdirSync(app).map(async (name) => ({ name, body: await readFile(join(app, name)) })),
  );
  const sent = await fetch(`${server.url}/api/uploads`, {
    method: "PUT",
    headers: { ...headers, "content-type": "application/gzip" },
    body: new Uint8Array(tarGz(entries)),
  });
  expect(sent.status).toBe(201);
  const { upload_id } = (await sent.json()) as { upload_id: string };
  return { type: "upload", upload_id };
}

export const folder = { type: "folder", path: app };

export async function create(server: TestServer, name: string, source: object, settings: object = ALLOWED) {
  return await call<{ message?: string }>(server, "POST", "/deployments", { name, source, settings }, headers);
}

export async function newest(server: TestServer, name: string): Promise<Revision | undefined> {
  const path = `/deployments/${name}/revisions?limit=1`;
  return (await call<Revision[]>(server, "GET", path, undefined, headers)).json[0];
}

export async function deploy(
  server: TestServer,
  name: string,
  source: object,
  settings: object = ALLOWED,
): Promise<void> {
  const { status, text } = await create(server, name, source, settings);
  expect(status, text).toBe(201);
  await untilState(server, name, ["live"], headers);
}
