/** Parses message parts leniently: in either dialect's forms, and in snake_case, which ProtoJSON allows. */
import * as z from "zod";
import { a2aError, type Part } from "./a2a.ts";
import { Members, nullish } from "./fields.ts";
import { isObject, type JsonObject } from "./json.ts";
import { invalidParams, type RpcError } from "./jsonrpc.ts";

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: RpcError };

const METADATA_LIMIT = 64 * 1024;

/** Renames keys such as `message_id` to `messageId`, unless the object has both. */
export function camelKeys(value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  if (!entries.some(([key]) => key.includes("_"))) return value;
  const renamed = entries.map(([key, member]): [string, unknown] => {
    const camel = key.replace(/(?<=[a-z0-9])_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return [Object.hasOwn(value, camel) ? key : camel, member];
  });
  return Object.fromEntries(renamed);
}

export const Metadata = nullish(
  Members.refine((metadata) => JSON.stringify(metadata).length <= METADATA_LIMIT, {
    message: `expected at most ${METADATA_LIMIT / 1024} KiB`,
  }),
);

export function parse<S extends z.ZodType>(
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

export function invalidMember(field: string, description: string): { ok: false; error: RpcError } {
  return { ok: false, error: invalidParams([{ field, description }]) };
}

const Content = z.object({
  mediaType: nullish(z.string()),
  mimeType: nullish(z.string()),
  name: nullish(z.string()),
  filename: nullish(z.string()),
});
const Text = Content.extend({ text: z.string(), metadata: Metadata });
const Data = Content.extend({ data: z.unknown().refine((data) => data !== undefined, "required"), metadata: Metadata });
/** Schema of base64 in either alphabet; the result uses the standard one. */
const Base64 = z
  .string()
  .regex(/^[A-Za-z0-9+/_-]*={0,2}$/, "expected base64")
  .transform((text) => text.replaceAll("-", "+").replaceAll("_", "/"));
const Raw = Content.extend({ raw: Base64, metadata: Metadata });
const Url = Content.extend({ url: z.string(), metadata: Metadata });
const FilePart = z.object({
  metadata: Metadata,
  file: z.preprocess(
    camelKeys,
    Content.extend({
      bytes: nullish(Base64),
      uri: nullish(z.string()),
      fileWithBytes: nullish(Base64),
      fileWithUri: nullish(z.string()),
    }),
  ),
});

/** Parses a part. Its only content member determines the kind; v0.3 names it in `kind`, older clients in `type`. */
export function readPart(value: unknown, path: readonly PropertyKey[]): Parsed<Part> {
  const given = camelKeys(value);
  if (!isObject(given)) return invalidMember(path.join("."), "expected an object");
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
      return invalidMember(path.join("."), "expected exactly one of text, data, file, raw, url");
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
  return invalidMember([...path, "file"].join("."), "expected bytes or uri");
}

function map<T>(read: Parsed<T>, to: (value: T) => Part): Parsed<Part> {
  return read.ok ? { ok: true, value: to(read.value) } : read;
}

type About = Partial<z.infer<typeof Content>> & { metadata?: JsonObject };

/** Returns the members that all kinds share. v1.0 clients may write an empty string for an absent one. */
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
