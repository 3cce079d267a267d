/** Calls of a test server's control plane. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Revision } from "../../lib/protocol/revisions.ts";
import { isUnderway } from "../../lib/rules/revisions/phases.ts";
import type { TestServer } from "./server.ts";

export interface Called<T> {
  status: number;
  json: T;
  text: string;
}

export async function call<T>(
  { url }: Pick<TestServer, "url">,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Called<T>> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: { ...(body && { "content-type": "application/json" }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return { status: response.status, text, json: (isJson ? JSON.parse(text) : undefined) as T };
}

/** Waits until the newest revision has been built or has failed. */
export async function untilBuilt(server: Pick<TestServer, "url">, name: string): Promise<Revision> {
  for (;;) {
    const { json } = await call<Revision[]>(server, "GET", `/deployments/${name}/revisions?limit=1`);
    const newest = json[0];
    if (newest && !isUnderway(newest.state)) return newest;
    await sleep(50);
  }
}

/** Waits until the newest revision is in one of these states, and throws when it has failed. */
export async function untilState(
  server: Pick<TestServer, "url">,
  name: string,
  states: readonly string[],
  headers: Record<string, string> = {},
): Promise<Revision> {
  for (;;) {
    const { json } = await call<Revision[]>(
      server,
      "GET",
      `/deployments/${name}/revisions?limit=1`,
      undefined,
      headers,
    );
    const newest = json[0];
    if (newest && states.includes(newest.state)) return newest;
    if (newest && /failed/.test(newest.state)) throw new Error(JSON.stringify(newest.problem));
    await sleep(50);
  }
}
