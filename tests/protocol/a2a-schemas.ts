/** A2A's output in both generations (https://a2a-protocol.org/latest/specification/), closed: a key that is not named fails. */
import * as z from "zod";

const Metadata = z.record(z.string(), z.unknown());
const Timestamp = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const Filled = <S extends z.ZodType>(schema: S) => z.array(schema).min(1);

const Part03 = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("text"), text: z.string(), metadata: Metadata.optional() }),
  z.strictObject({ kind: z.literal("data"), data: z.record(z.string(), z.unknown()), metadata: Metadata.optional() }),
  z.strictObject({
    kind: z.literal("file"),
    file: z.union([
      z.strictObject({ bytes: z.string(), mimeType: z.string().optional(), name: z.string().optional() }),
      z.strictObject({ uri: z.string(), mimeType: z.string().optional(), name: z.string().optional() }),
    ]),
    metadata: Metadata.optional(),
  }),
]);

const messageMembers = {
  messageId: z.string().min(1),
  contextId: z.string().optional(),
  taskId: z.string().optional(),
  metadata: Metadata.optional(),
  extensions: Filled(z.string()).optional(),
  referenceTaskIds: Filled(z.string()).optional(),
};

export const Message03 = z.strictObject({
  kind: z.literal("message"),
  role: z.enum(["user", "agent"]),
  parts: Filled(Part03),
  ...messageMembers,
});

const State03 = z.enum([
  "submitted",
  "working",
  "input-required",
  "auth-required",
  "completed",
  "failed",
  "canceled",
  "rejected",
]);

const Status03 = z.strictObject({ state: State03, message: Message03.optional(), timestamp: Timestamp });
const titles = { name: z.string().optional(), description: z.string().optional() };
const Artifact03 = z.strictObject({ artifactId: z.string(), ...titles, parts: Filled(Part03) });

export const Task03 = z.strictObject({
  kind: z.literal("task"),
  id: z.string(),
  contextId: z.string(),
  status: Status03,
  history: z.array(Message03).optional(),
  artifacts: Filled(Artifact03).optional(),
});
export type Task03 = z.infer<typeof Task03>;

const eventMembers = { taskId: z.string(), contextId: z.string() };

export const Update03 = z.discriminatedUnion("kind", [
  Task03,
  z.strictObject({ kind: z.literal("status-update"), ...eventMembers, status: Status03, final: z.boolean() }),
  z.strictObject({
    kind: z.literal("artifact-update"),
    ...eventMembers,
    artifact: Artifact03,
    append: z.boolean().optional(),
    lastChunk: z.boolean().optional(),
  }),
]);
export type Update03 = z.infer<typeof Update03>;

const partMembers = { mediaType: z.string().optional(), metadata: Metadata.optional() };
const Part10 = z.union([
  z.strictObject({ text: z.string(), ...partMembers }),
  z.strictObject({ data: z.json(), ...partMembers }),
  z.strictObject({ raw: z.string(), filename: z.string().optional(), ...partMembers }),
  z.strictObject({ url: z.string(), filename: z.string().optional(), ...partMembers }),
]);

export const Message10 = z.strictObject({
  role: z.enum(["ROLE_USER", "ROLE_AGENT"]),
  parts: Filled(Part10),
  ...messageMembers,
});

const State10 = z.enum([
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
]);

const Status10 = z.strictObject({ state: State10, message: Message10.optional(), timestamp: Timestamp });
const Artifact10 = z.strictObject({ artifactId: z.string(), ...titles, parts: Filled(Part10) });

export const Task10 = z.strictObject({
  id: z.string(),
  contextId: z.string(),
  status: Status10,
  history: Filled(Message10).optional(),
  artifacts: Filled(Artifact10).optional(),
});

export const Update10 = z.union([
  z.strictObject({ task: Task10 }),
  z.strictObject({ statusUpdate: z.strictObject({ ...eventMembers, status: Status10 }) }),
  z.strictObject({
    artifactUpdate: z.strictObject({
      ...eventMembers,
      artifact: Artifact10,
      append: z.boolean().optional(),
      lastChunk: z.boolean().optional(),
    }),
  }),
]);

/** A response of either dialect: exactly one of result and error, and no members of this server's own in an error. */
export const RpcAnswer = z.union([
  z.strictObject({ jsonrpc: z.literal("2.0"), id: z.union([z.string(), z.int(), z.null()]), result: z.unknown() }),
  z.strictObject({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.int(), z.null()]),
    error: z.strictObject({
      code: z.int(),
      message: z.string().min(1),
      data: z.array(z.looseObject({ "@type": z.string().startsWith("type.googleapis.com/") })).optional(),
    }),
  }),
]);
