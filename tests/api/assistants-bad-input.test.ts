import { resolve } from "node:path";
import { expect, test } from "vitest";
import { json, raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/modes") });

const CHAT = "eb6db400-e3c8-5d06-a834-015cb89efe69";
const NOBODY = "00000000-0000-4000-8000-000000000000";

test.each([
  ["POST", "/assistants", {}, "graph_id"],
  ["POST", "/assistants", { graph_id: 7 }, "graph_id"],
  ["POST", "/assistants", { graph_id: "chat", assistant_id: "me" }, "assistant_id"],
  ["POST", "/assistants", { graph_id: "chat", if_exists: "replace" }, "if_exists"],
  ["POST", "/assistants", { graph_id: "chat", config: { recursion_limit: "3" } }, "config.recursion_limit"],
  ["POST", "/assistants", { graph_id: "chat", context: [] }, "context"],
  ["POST", "/assistants", { graph_id: "chat", name: "a\0b" }, "name"],
  ["POST", "/assistants/count", { metadata: "all" }, "metadata"],
  ["POST", "/assistants/search", { limit: 0 }, "limit"],
  ["POST", "/assistants/search", { select: ["secret"] }, "select.0"],
  ["PATCH", `/assistants/${CHAT}`, { metadata: [] }, "metadata"],
  ["PATCH", `/assistants/${CHAT}`, { description: 1 }, "description"],
  ["POST", `/assistants/${CHAT}/versions`, { offset: -1 }, "offset"],
  ["POST", `/assistants/${CHAT}/latest`, {}, "version"],
  ["POST", `/assistants/${CHAT}/latest`, { version: 1.5 }, "version"],
  ["POST", `/assistants/${CHAT}/latest?version=last`, {}, "version"],
  ["DELETE", `/assistants/${NOBODY}?delete_threads=perhaps`, undefined, "delete_threads"],
  ["GET", `/assistants/${CHAT}/graph?xray=-1`, undefined, "xray"],
  ["GET", `/assistants/${CHAT}/subgraphs?recurse=2`, undefined, "recurse"],
])("%s %s %j is 422 and names the field", async (method, path, body, field) => {
  const answer = await raw(`${server.url}${path}`, { method, body: body && JSON.stringify(body) });
  expect(answer.status).toBe(422);
  const { detail, issues } = json<{ detail: string; issues: { path: string; message: string }[] }>(answer);
  expect(issues[0]?.path).toBe(field);
  expect(detail).toContain(field);
});

test.each(["nobody", NOBODY, "constructor", "%00", "..%2f..%2fetc"])("an assistant %s is 404", async (id) => {
  const base = `${server.url}/assistants/${id}`;
  const answers = await Promise.all([
    raw(base),
    raw(base, { method: "PATCH", body: "{}" }),
    raw(base, { method: "DELETE" }),
    raw(`${base}/versions`, { body: "{}" }),
    raw(`${base}/latest`, { body: '{"version":1}' }),
    raw(`${base}/graph`),
    raw(`${base}/schemas`),
    raw(`${base}/subgraphs`),
    raw(`${base}/subgraphs/child`),
  ]);
  for (const { status, text } of answers) expect([status, text]).toEqual([404, "Assistant not found"]);
});

test("explicit null is the same as leaving a field out", async () => {
  const nothing = { config: null, context: null, metadata: null, name: null, description: null };
  const answer = await raw(`${server.url}/assistants`, {
    body: JSON.stringify({ graph_id: "chat", assistant_id: null, if_exists: null, ...nothing }),
  });
  const made = json<{ assistant_id: string }>(answer);
  expect(made).toMatchObject({ name: "Untitled", config: {} });
  const url = `${server.url}/assistants/${made.assistant_id}`;
  const changed = json(await raw(url, { method: "PATCH", body: JSON.stringify({ graph_id: null, ...nothing }) }));
  expect(changed).toEqual({ ...made, version: 2, updated_at: changed["updated_at"] });
});
