/** Generates the OpenAPI 3.1 document of the control plane from its table of operations. */
import * as z from "zod";
import { DeploymentRecord } from "./control.ts";
import type { JsonObject } from "./json.ts";
import { type ControlOperation, controlOperations } from "./operations/control.ts";
import { PushPayload } from "./push.ts";
import { LogLine, Revision } from "./revisions.ts";
import { Commit, Credentials, Source } from "./sources.ts";
import { EnvironmentPatch, Variable } from "./variables.ts";

/** Schemas that have a name in the document; all others are inlined. */
const named = {
  Deployment: DeploymentRecord,
  Revision,
  LogLine,
  Commit,
  Source,
  Credentials,
  EnvironmentPatch,
  Variable,
};

const EVENTS = { "text/event-stream": { schema: { type: "string" } } };
const ARCHIVE = { schema: { type: "string", format: "binary" } };

/** Returns the document. `url` is the server's, without a trailing slash. */
export function describeControl({ version, url }: { version: string; url: string }): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const [name, operation] of Object.entries<ControlOperation>(controlOperations)) {
    const path = operation.path.replace(/\[(\w+)\]/g, "{$1}");
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationObject(name, operation) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Graphlib control plane",
      version,
      summary: "Deployments, their revisions, variables and logs.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: `${url}/api` }],
    // The empty requirement is for servers without a key.
    security: [{ key: [] }, { bearer: [] }, {}],
    paths,
    components: {
      schemas: schemasOf(named),
      responses: { Refused: refused() },
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "x-api-key" },
        hmac: { type: "apiKey", in: "header", name: "x-hub-signature-256" },
        gitea: { type: "apiKey", in: "header", name: "x-gitea-signature" },
        gitlab: { type: "apiKey", in: "header", name: "x-gitlab-token" },
        bearer: { type: "http", scheme: "bearer" },
      },
    },
  };
}

function operationObject(name: string, operation: ControlOperation): JsonObject {
  const { path, query, summary, signed } = operation;
  const parameters = [...pathParameters(path), ...(query ? queryParameters(query) : [])];
  const requestBody = requestOf(operation);
  return {
    operationId: name,
    summary,
    ...(signed && { security: [{ hmac: [] }, { gitea: [] }, { gitlab: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: {
      ...answerOf(operation),
      "4XX": { $ref: "#/components/responses/Refused" },
      "5XX": { $ref: "#/components/responses/Refused" },
    },
  };
}

function pathParameters(path: string): JsonObject[] {
  return Array.from(path.matchAll(/\[(\w+)\]/g), ([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: name === "revision" ? { type: "integer", minimum: 1 } : { type: "string" },
  }));
}

function queryParameters(query: z.ZodType): JsonObject[] {
  const { properties = {}, required = [] } = schemaOf(query);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema: schema,
  }));
}

function requestOf({ body, archive, signed }: ControlOperation): JsonObject | undefined {
  if (signed) return { required: true, content: { "application/json": { schema: schemaOf(PushPayload) } } };
  if (archive) {
    const kinds = ["application/gzip", "application/x-tar", "application/zip", "application/octet-stream"];
    return { required: true, content: Object.fromEntries(kinds.map((kind) => [kind, ARCHIVE])) };
  }
  return body && { required: true, content: { "application/json": { schema: schemaOf(body) } } };
}

function answerOf({ answer, result, status }: ControlOperation): JsonObject {
  if (answer === "empty") return { 204: { description: "Done" } };
  const json = result && { "application/json": { schema: schemaOf(result) } };
  const content = { ...json, ...(answer && EVENTS) };
  const description = status === 201 ? "Created" : status === 202 ? "Accepted" : "OK";
  return { [status ?? 200]: { description, content } };
}

function refused(): JsonObject {
  const issue = z.object({ path: z.string(), message: z.string() });
  const schema = schemaOf(z.object({ detail: z.string(), issues: z.array(issue) }));
  const description = "The reason for the refusal: one sentence, or JSON with the issue of each wrong field";
  return { description, content: { "text/plain": { schema: { type: "string" } }, "application/json": { schema } } };
}

/** Converts named schemas to JSON Schema, with references between them. */
function schemasOf(schemas: Record<string, z.ZodType>): Record<string, z.core.JSONSchema.JSONSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const made = z.toJSONSchema(registry, { io: "input", uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(
    Object.entries(made.schemas).map(([id, { $schema: _schema, $id: _id, ...schema }]) => [id, schema]),
  );
}

/** Converts a schema in its input form, in which fields with a default are optional. Responses have no such fields. */
function schemaOf(schema: z.ZodType): z.core.JSONSchema.JSONSchema {
  const known = Object.entries(named).find(([, one]) => one === schema);
  return known ? { $ref: `#/components/schemas/${known[0]}` } : (schemasOf({ ...named, it: schema }).it ?? {});
}
