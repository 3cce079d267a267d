import * as z from "zod";
import { a2aError, type Dialect, type Message, type Part } from "./a2a.ts";
import { Members, nullish } from "./fields.ts";
import { isObject, type JsonObject } from "./json.ts";
import { invalidParams, type RpcError } from "./jsonrpc.ts";

/**
 * Parameters of the A2A methods, read liberally: either dialect's forms under either dialect's method names, and
 * snake_case, which ProtoJSON allows.
 */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: RpcError };

export interface SendParams {
  /** `messageId` is missing where the client left it to the server. */
  readonly message: Omit<Message, "messageId" | "contextId" | "taskId">;
  readonly messageId?: string;
  readonly contextId?: string;
  readonly taskId?: string;
  /** Answer when the task rests, not at once. */
  readonly wait: boolean;
  readonly historyLength?: number;
  /** A webhook was asked for. */
  readonly push: boolean;
  /** Of the parameters and of the message. */
  readonly metadata: JsonObject;
}

export interface GetParams {
  readonly id: string;
  readonly historyLength?: number;
}

const PARTS_LIMIT = 100;
/** Characters of JSON: a message is stored, and comes back in every answer about its task. */
const PARTS_SIZE = 1024 * 1024;
const LIST_LIMIT = 100;
const METADATA_LIMIT = 64 * 1024;

/** `message_id` as `messageId`, unless that is there too. */
function camelKeys(value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  if (!entries.some(([key]) => key.includes("_"))) return value;
  const renamed = entries.map(([key, member]): [string, unknown] => {
    const camel = key.replace(/(?<=[a-z0-9])_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return [Object.hasOwn(value, camel) ? key : camel, member];
  });
  return Object.fromEntries(renamed);
}

/** Ids are opaque; absent, null and empty are the same. */
const Id = z
  .string()
  .max(255)
  // eslint-disable-next-line no-control-regex -- control characters are what is refused
  .regex(/^[^\u0000-\u001f\u007f-\u009f]+$/, "expected printable characters");
const OptionalId = z.preprocess((value) => (value === "" ? undefined : value), nullish(Id));

const Metadata = nullish(
  Members.refine((metadata) => JSON.stringify(metadata).length <= METADATA_LIMIT, {
    message: `expected at most ${METADATA_LIMIT / 1024} KiB`,
  }),
);

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
    parts: z.array(z.unknown()).min(1).max(PARTS_LIMIT),
    metadata: Metadata,
    extensions: nullish(z.array(z.string().max(2048)).max(LIST_LIMIT)),
    referenceTaskIds: nullish(z.array(Id).max(LIST_LIMIT)),
  }),
);

const Configuration = z.preprocess(
  camelKeys,
  z.object({
    blocking: nullish(z.boolean()),
    returnImmediately: nullish(z.boolean()),
    historyLength: HistoryLength,
    acceptedOutputModes: nullish(z.array(z.string())),
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
    // What older clients put beside the message.
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
  const strict = dialect === "1.0";
  if (strict && message.messageId === undefined) return refuse("message.messageId", "required");
  if (strict && message.role === undefined) return refuse("message.role", "required");
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
      push: (configuration?.pushNotificationConfig ?? configuration?.taskPushNotificationConfig) !== undefined,
      metadata: { ...metadata, ...message.metadata },
    },
  };
}

export function parseGet(params: unknown): Parsed<GetParams> {
  return parse(GetIn, params);
}

/** What every method but the one for the extended card demands of its parameters. */
export function parseParams(params: unknown): Parsed<JsonObject> {
  if (!isObject(params)) return refuse("params", "expected an object");
  if (Object.hasOwn(params, "")) return refuse("params", "a name is empty");
  return { ok: true, value: params };
}

function parse<S extends z.ZodType>(
  schema: S,
  value: unknown,
  within: readonly PropertyKey[] = [],
): Parsed<z.infer<S>> {
  const read = schema.safeParse(value);
  if (read.success) return { ok: true, value: read.data };
  const violations = read.error.issues.map((issue) => ({
    field: [...within, ...issue.path].join("."),
    description: issue.message,
  }));
  return { ok: false, error: invalidParams(violations) };
}

function refuse(field: string, description: string): { ok: false; error: RpcError } {
  return { ok: false, error: invalidParams([{ field, description }]) };
}

function readParts(values: readonly unknown[]): Parsed<Part[]> {
  const parts: Part[] = [];
  let size = 0;
  for (const [index, value] of values.entries()) {
    const read = readPart(value, ["message", "parts", index]);
    if (!read.ok) return read;
    size += JSON.stringify(read.value).length;
    parts.push(read.value);
  }
  if (size > PARTS_SIZE) return refuse("message.parts", `expected at most ${PARTS_SIZE} characters in all`);
  return { ok: true, value: parts };
}

const Content = z.object({
  mediaType: nullish(z.string()),
  mimeType: nullish(z.string()),
  name: nullish(z.string()),
  filename: nullish(z.string()),
});
const Text = Content.extend({ text: z.string(), metadata: Metadata });
const Data = Content.extend({ data: z.unknown().refine((data) => data !== undefined, "required"), metadata: Metadata });
const Raw = Content.extend({ raw: z.string(), metadata: Metadata });
const Url = Content.extend({ url: z.string(), metadata: Metadata });
const FilePart = z.object({
  metadata: Metadata,
  file: z.preprocess(
    camelKeys,
    Content.extend({
      bytes: nullish(z.string()),
      uri: nullish(z.string()),
      fileWithBytes: nullish(z.string()),
      fileWithUri: nullish(z.string()),
    }),
  ),
});

/** One content member makes a part; v0.3 names it in `kind`, older texts in `type`. */
function readPart(value: unknown, path: readonly PropertyKey[]): Parsed<Part> {
  const given = camelKeys(value);
  if (!isObject(given)) return refuse(path.join("."), "expected an object");
  const members = ["text", "data", "file", "raw", "url"].filter((member) => given[member] !== undefined);
  const kind = given.kind ?? given.type ?? (members.length === 1 ? members[0] : undefined);
  switch (kind) {
    case "text":
      return map(parse(Text, given, path), ({ text, ...rest }) => ({ kind: "text", text, ...about(rest) }));
    case "data":
      return map(parse(Data, given, path), ({ data, ...rest }) => ({ kind: "data", data, ...about(rest) }));
    case "raw":
      return map(parse(Raw, given, path), ({ raw, ...rest }) => ({ kind: "bytes", bytes: raw, ...about(rest) }));
    case "url":
      return map(parse(Url, given, path), ({ url, ...rest }) => ({ kind: "url", url, ...about(rest) }));
    case "file":
      return readFile(given, path);
    case undefined:
      return refuse(path.join("."), "expected exactly one of text, data, file, raw, url");
    default:
      return {
        ok: false,
        error: a2aError("CONTENT_TYPE_NOT_SUPPORTED", { message: `${path.join(".")}: unknown kind of part` }),
      };
  }
}

function readFile(given: JsonObject, path: readonly PropertyKey[]): Parsed<Part> {
  const read = parse(FilePart, given, path);
  if (!read.ok) return read;
  const { file, metadata } = read.value;
  const bytes = file.bytes ?? file.fileWithBytes;
  const url = file.uri ?? file.fileWithUri;
  const rest = about({ ...file, metadata });
  if (bytes !== undefined) return { ok: true, value: { kind: "bytes", bytes, ...rest } };
  if (url !== undefined) return { ok: true, value: { kind: "url", url, ...rest } };
  return refuse([...path, "file"].join("."), "expected bytes or uri");
}

function map<T>(read: Parsed<T>, to: (value: T) => Part): Parsed<Part> {
  return read.ok ? { ok: true, value: to(read.value) } : read;
}

type About = Partial<z.infer<typeof Content>> & { metadata?: JsonObject };

/** v1.0 clients may write an empty string for what is not set. */
function about({
  mediaType,
  mimeType,
  name,
  filename,
  metadata,
}: About): Pick<About, "mediaType" | "name" | "metadata"> {
  const type = mediaType || mimeType;
  const title = name || filename;
  return { ...(type && { mediaType: type }), ...(title && { name: title }), ...(metadata && { metadata }) };
}
