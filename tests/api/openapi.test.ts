import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { controlOperations, type ControlOperation } from "../../lib/protocol/operations/control.ts";
import { tarGz } from "../support/archives.ts";
import { write } from "../support/git-server.ts";
import { useServer } from "../support/use-server.ts";

type Name = keyof typeof controlOperations;

const folder = mkdtempSync(join(tmpdir(), "graphlib-openapi-"));
const called = new Set<Name>();
const server = useServer({ own: true });
let schemas: Ajv2020;

beforeAll(async () => {
  write(join(folder, "app"), {
    "graphlib.json": JSON.stringify({ graphs: { agent: "./graph.ts:graph" } }),
    "graph.ts": `
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
console.log("loaded");
export const graph = new StateGraph(MessagesAnnotation)
  .addNode("say", () => ({}))
  .addEdge(START, "say")
  .addEdge("say", END)
  .compile();
`,
  });
  const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as object;
  // Formats are not checked, because the patterns beside them state the same.
  schemas = new Ajv2020({ strict: false, validateFormats: false });
  schemas.addSchema(document, "document");
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

/** Calls an operation and validates its response against the document. */
async function call(name: Name, words: Record<string, string | number> = {}, body?: object | Buffer, query = "") {
  called.add(name);
  const operation: ControlOperation = controlOperations[name];
  const { method, path, result, answer } = operation;
  const status = operation.status ?? 200;
  const url = path.replace(/\[(\w+)\]/g, (_, word: string) => String(words[word]));
  const isJson = body && !Buffer.isBuffer(body);
  const response = await fetch(`${server.url}/api${url}${query}`, {
    method,
    headers: { "content-type": isJson || !body ? "application/json" : "application/gzip" },
    ...(body && { body: isJson ? JSON.stringify(body) : new Uint8Array(body) }),
  });
  if (answer === "empty") {
    expect(response.status).toBe(204);
    return undefined;
  }
  const json: unknown = await response.json();
  expect(response.status, JSON.stringify(json)).toBe(status);
  const template = path.replace(/\[(\w+)\]/g, "{$1}").replaceAll("/", "~1");
  const at = `document#/paths/${encodeURI(template)}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`;
  const validate = schemas.compile({ $ref: at });
  validate(json);
  expect({ name, errors: validate.errors ?? [] }).toEqual({ name, errors: [] });
  // The response has no member that the document does not have.
  expect(result?.parse(json)).toEqual(json);
  return json;
}

/** Waits until a build is live. */
async function built(deployment: string, revision: number): Promise<void> {
  const url = `${server.url}/api/deployments/${deployment}/revisions/${revision}/log?after=-1`;
  const log = await fetch(url, { headers: { accept: "text/event-stream" } });
  expect(await log.text()).toContain("Live after");
}

test("each operation answers as the document describes", async () => {
  const deployment = "described";
  const source = { type: "folder", path: join(folder, "app") };
  await call("openapi");
  await call("preflight", {}, { source });
  await call("upload", {}, tarGz([{ name: "a.txt", body: "a" }]));
  const environment = { variables: { PLAIN: "1", SECRET: "2" }, plain: ["PLAIN"] };
  await call("createDeployment", {}, { name: deployment, source, environment });
  await built(deployment, 1);
  await call("getDeployment", { deployment });
  await call("listDeployments");
  await call("getQueue");
  const changed = { settings: { memory_mb: 256 }, environment: { variables: { MORE: "3" } } };
  await call("updateDeployment", { deployment }, changed);
  await call("getEnvironment", { deployment });
  await call("createRevision", { deployment }, {});
  await built(deployment, 2);
  await call("updateEnvironment", { deployment }, { variables: { MORE: null } });
  await built(deployment, 3);
  await call("rollBack", { deployment }, { revision: 1 });
  await built(deployment, 4);
  await call("listRevisions", { deployment });
  await call("getRevision", { deployment, revision: 1 });
  await call("revisionChanges", { deployment, revision: 3 });
  await call("buildLog", { deployment, revision: 1 });
  await call("serverLog", { deployment });
  await call("listPushDeliveries", { deployment });
  await call("stopDeployment", { deployment }, {});
  await call("startDeployment", { deployment }, {});
  await call("updateDeployment", { deployment }, { source: { type: "git", url: "https://example.com/acme/bot" } });
  await call("makeHook", { deployment });
  await call("removeHook", { deployment });
  await call("deleteDeployment", { deployment }, undefined, `?confirm=${deployment}`);
  const others = Object.keys(controlOperations).filter((name) => !called.has(name as Name));
  expect(others).toEqual(["deploymentEvents", "cancelRevision", "push"]);
});
