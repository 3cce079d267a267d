/** Schemas of the rarer messages of a worker. Strings that are shown to people are truncated. */
import * as z from "zod";
import { GraphDrawing, GraphSchemas, type Subgraphs } from "./assistants.ts";
import { isObject } from "./json.ts";
import { RunEnd } from "./stream.ts";
import { Interrupt } from "./threads.ts";

/** Schema of text that is truncated to `most` characters. */
const truncated = (most: number) => z.string().transform((text) => text.slice(0, most));

const Id = z.int().min(0);
const Problem = z.object({ error: truncated(200), message: truncated(20_000) });

const FailedAt = z.object({ file: truncated(1_000), line: z.int().min(1) });

const LoadedGraph = z.object({
  graph: z.string().max(1_000),
  error: Problem.optional(),
  file: truncated(1_000).optional(),
  line: z.int().min(0).optional(),
});
const Handlers = z.array(z.string().max(200)).max(1_000);
const LoadedAuth = z.union([
  z.object({ error: Problem }),
  z.object({ authenticates: z.boolean(), handlers: Handlers }),
]);

const Ready = z.object({
  type: z.literal("ready"),
  graphs: z.array(LoadedGraph).max(10_000),
  langgraph: truncated(100),
  auth: LoadedAuth.optional(),
  app: z.object({ error: Problem.optional() }).optional(),
});

const End = z.object({
  type: z.literal("end"),
  run: z.string().max(200),
  token: z.int().min(0),
  status: RunEnd.shape.status,
  error: Problem.extend({ source: FailedAt.optional() }).optional(),
  thread: z.object({ next: z.array(z.string()), interrupts: z.record(z.string(), z.array(Interrupt)) }).optional(),
});

const described = { type: z.literal("described"), id: Id };
const Described = z.union([
  z.object({ ...described, error: Problem }),
  z.object({ ...described, drawing: GraphDrawing }),
  z.object({ ...described, schemas: GraphSchemas, wantsTypes: z.boolean().optional() }),
  z.object({
    ...described,
    subgraphs: z.custom<Subgraphs>(isSubgraphs, "expected objects by their names"),
    wantsTypes: z.boolean().optional(),
  }),
]);

function isSubgraphs(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isObject);
}

const stated = { type: z.literal("stated"), id: Id };
const Stated = z.union([z.object({ ...stated, error: Problem }), z.object({ ...stated, answer: z.unknown() })]);

/** The largest number with 32 bits. Vectors are stored in that format, where a larger number would become infinite. */
const LARGEST = 3.4028234663852886e38;

const embedded = { type: z.literal("embedded"), id: Id };
const Embedded = z.union([
  z.object({ ...embedded, error: Problem }),
  z.object({ ...embedded, vectors: z.custom<number[][]>(areVectors, "expected lists of numbers") }),
]);

function areVectors(value: unknown): boolean {
  return Array.isArray(value) && value.every((vector) => Array.isArray(vector) && vector.every(isComponent));
}

function isComponent(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) <= LARGEST;
}

/** A token, and bytes without a line end, as `Headers` accepts (https://www.rfc-editor.org/rfc/rfc9110#section-5). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;
const HEADER_VALUE = /^[^\0\r\n\u0100-\uffff]{0,65536}$/;
const Headers = z
  .array(
    z.tuple([
      z.string().regex(HEADER_NAME, "expected the name of a header"),
      z.string().regex(HEADER_VALUE, "expected the value of a header"),
    ]),
  )
  .max(1_000);

const guarded = { type: z.literal("guarded"), id: Id };
const Refusal = z.object({ status: z.int().min(400).max(599), message: truncated(20_000), headers: Headers });
const Guarded = z.union([
  z.object({ ...guarded, error: Problem }),
  z.object({
    ...guarded,
    answer: z.union([
      z.object({ refusal: Refusal }),
      z.object({ returned: z.unknown(), value: z.unknown().optional() }),
    ]),
  }),
]);

const response = { type: z.literal("response"), id: Id };
/** Statuses of responses that cannot have a body (https://fetch.spec.whatwg.org/#null-body-status). */
const BODILESS = new Set([204, 205, 304]);
const Response = z.union([
  z.object({ ...response, error: Problem }),
  z
    .object({
      ...response,
      status: z.int().min(200).max(599),
      headers: Headers,
      passed: z.boolean(),
      hasBody: z.boolean(),
    })
    .refine(({ status, hasBody }) => !hasBody || !BODILESS.has(status), "expected no body with this status"),
]);

/** One schema for each type, except for frequent ones, which are validated by hand. */
export const lineSchemas = {
  ready: Ready,
  end: End,
  described: Described,
  stated: Stated,
  embedded: Embedded,
  guarded: Guarded,
  response: Response,
  chunk: z.object({ type: z.literal("chunk"), id: Id, data: z.string() }),
  done: z.object({ type: z.literal("done"), id: Id, error: Problem.optional() }),
  pong: z.object({ type: z.literal("pong"), id: Id }),
};
