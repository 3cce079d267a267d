import * as z from "zod";
import { TASK_STATES, type Dialect, type Message, type Part } from "./a2a.ts";
import { Id, OptionalId } from "./a2a-ids.ts";
import { camelKeys, Metadata, parse, type Parsed, readPart, invalidMember } from "./a2a-parts.ts";
import { type PushConfig, readPushConfig } from "./a2a-push.ts";
import { listOf, nullish } from "./fields.ts";
import { isObject, type JsonObject } from "./json.ts";

/**
 * Parameters of `message/send` and its like. All methods are parsed leniently: either dialect's forms are accepted
 * under either dialect's method names, and so is snake_case, which ProtoJSON allows.
 */
export interface SendParams {
  readonly message: Omit<Message, "messageId" | "contextId" | "taskId">;
  /** Absent when the server is to choose it. */
  readonly messageId?: string;
  readonly contextId?: string;
  readonly taskId?: string;
  /** True to respond only when the task rests, instead of at once. */
  readonly wait: boolean;
  readonly historyLength?: number;
  /** Push notification configuration for the task's changes. */
  readonly push?: Omit<PushConfig, "taskId">;
  /** Metadata of the parameters and of the message, merged. */
  readonly metadata: JsonObject;
}

const PARTS_LIMIT = 100;
/** The most characters of JSON, without files. A message is stored and returned in every response about its task. */
const PARTS_SIZE = 1024 * 1024;
const LIST_LIMIT = 100;

const HistoryLength = nullish(z.int().min(0));

const Role = z
  .enum(["user", "agent", "ROLE_USER", "ROLE_AGENT"])
  .transform((role): Message["role"] => (role === "user" || role === "ROLE_USER" ? "user" : "agent"));

const MessageIn = z.preprocess(
  camelKeys,
  z.object({
    messageId: OptionalId,
    contextId: OptionalId,
    taskId: OptionalId,
    role: nullish(Role),
    parts: listOf(z.unknown(), PARTS_LIMIT, 1),
    metadata: Metadata,
    extensions: nullish(listOf(z.string().max(2048), LIST_LIMIT)),
    referenceTaskIds: nullish(listOf(Id, LIST_LIMIT)),
  }),
);

const Configuration = z.preprocess(
  camelKeys,
  z.object({
    blocking: nullish(z.boolean()),
    returnImmediately: nullish(z.boolean()),
    historyLength: HistoryLength,
    acceptedOutputModes: nullish(listOf(z.string(), 1_000)),
    pushNotificationConfig: nullish(z.unknown()),
    taskPushNotificationConfig: nullish(z.unknown()),
  }),
);

const SendIn = z.preprocess(
  camelKeys,
  z.object({
    message: MessageIn,
    configuration: nullish(Configuration),
    metadata: Metadata,
    // Older clients send these beside the message.
    messageId: OptionalId,
    contextId: OptionalId,
    taskId: OptionalId,
    thread: nullish(z.preprocess(camelKeys, z.object({ threadId: OptionalId }))),
  }),
);

const GetIn = z.preprocess(camelKeys, z.object({ id: Id, historyLength: HistoryLength }));

export function parseSend(params: unknown, dialect: Dialect): Parsed<SendParams> {
  const read = parse(SendIn, params);
  if (!read.ok) return read;
  const { message, configuration, metadata, ...beside } = read.value;
  const parts = readParts(message.parts);
  if (!parts.ok) return parts;
  const push = readPush(configuration);
  if (push?.ok === false) return push;
  const strict = dialect === "1.0";
  if (strict && message.messageId === undefined) return invalidMember("message.messageId", "required");
  if (strict && message.role === undefined) return invalidMember("message.role", "required");
  const loose = strict ? undefined : beside;
  const { messageId, contextId, taskId, role = "user", extensions, referenceTaskIds } = message;
  return {
    ok: true,
    value: {
      message: { role, parts: parts.value, metadata: message.metadata, extensions, referenceTaskIds },
      messageId: messageId ?? loose?.messageId,
      contextId: contextId ?? loose?.contextId ?? loose?.thread?.threadId,
      taskId: taskId ?? loose?.taskId,
      wait: strict ? configuration?.returnImmediately !== true : configuration?.blocking !== false,
      historyLength: configuration?.historyLength,
      push: push?.value,
      metadata: { ...metadata, ...message.metadata },
    },
  };
}

/** Parses the configuration under the member name of either dialect. */
function readPush(configuration: z.infer<typeof Configuration> | undefined) {
  const names = ["pushNotificationConfig", "taskPushNotificationConfig"] as const;
  const name = names.find((one) => configuration?.[one] !== undefined);
  return name && readPushConfig(configuration?.[name], ["configuration", name]);
}

/** Parses the id of a task. */
export function parseId(params: unknown): Parsed<string> {
  const read = parse(z.object({ id: Id }), params);
  return read.ok ? { ok: true, value: read.value.id } : read;
}

export function parseGet(params: unknown): Parsed<z.infer<typeof GetIn>> {
  return parse(GetIn, params);
}

/** Schema of a state's name in either dialect. `unspecified` and `unknown` do not filter. */
const State = z
  .string()
  .transform((name) =>
    name
      .replace(/^TASK_STATE_/, "")
      .toLowerCase()
      .replaceAll("_", "-"),
  )
  .pipe(z.enum([...TASK_STATES, "unspecified", "unknown"], "expected the state of a task"))
  .transform((state) => (state === "unspecified" || state === "unknown" ? undefined : state));

const ListIn = z.preprocess(
  camelKeys,
  z.object({
    contextId: OptionalId,
    status: z.preprocess((value) => (value === "" ? undefined : value), nullish(State)),
    pageSize: nullish(z.int().min(1).max(100)).transform((size) => size ?? 50),
    pageToken: nullish(z.string().max(1024)).transform((token) => token || undefined),
    /** The number of messages to return for each task. */
    historyLength: HistoryLength.transform((length) => length ?? 0),
    /** Lower bound of the time of a task's status, in ms since the epoch. */
    statusTimestampAfter: nullish(z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))),
    includeArtifacts: nullish(z.boolean()).transform((wanted) => wanted ?? false),
  }),
);

export function parseList(params: unknown): Parsed<z.infer<typeof ListIn>> {
  return parse(ListIn, params);
}

/** Checks the parameters of every method except the one for the extended card. */
export function parseParams(params: unknown): Parsed<JsonObject> {
  if (!isObject(params)) return invalidMember("params", "expected an object");
  if (Object.hasOwn(params, "")) return invalidMember("params", "a name is empty");
  return { ok: true, value: params };
}

function readParts(values: readonly unknown[]): Parsed<Part[]> {
  const parts: Part[] = [];
  let size = 0;
  for (const [index, value] of values.entries()) {
    const read = readPart(value, ["message", "parts", index]);
    if (!read.ok) return read;
    if (read.value.kind !== "bytes") size += JSON.stringify(read.value).length;
    parts.push(read.value);
  }
  if (size > PARTS_SIZE) return invalidMember("message.parts", `expected at most ${PARTS_SIZE} characters in all`);
  return { ok: true, value: parts };
}
