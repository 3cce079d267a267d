/** Push notification configurations in the forms of both dialects. */
import * as z from "zod";
import type { Dialect } from "./a2a.ts";
import { Id, OptionalId } from "./a2a-ids.ts";
import { camelKeys, parse, type Parsed, invalidMember } from "./a2a-parts.ts";
import { listOf, nullish } from "./fields.ts";
import type { JsonObject } from "./json.ts";

/** The address to which a task's changes are posted. */
export interface PushConfig {
  readonly taskId: string;
  /** Id chosen by the client; the server creates one when it is absent. */
  readonly id?: string;
  readonly url: string;
  /** Token that is sent with every notification, by which the receiver recognizes it. */
  readonly token?: string;
  /** Content of the `Authorization` header. */
  readonly authentication?: { readonly scheme: string; readonly credentials?: string };
}

/** The key of a configuration, or of all configurations of a task when `id` is absent. */
export interface PushConfigKey {
  readonly taskId: string;
  readonly id?: string;
}

const URL_LIMIT = 2048;
const SECRET_LIMIT = 8192;
/** Schema of text that an HTTP header may contain. */
const HeaderText = z
  .string()
  .max(SECRET_LIMIT)
  .regex(/^[\u0020-\u007e\u0080-\u00ff]*$/, "expected characters that an HTTP header may hold");
const filled = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === "" ? undefined : value), nullish(schema));

const ConfigIn = z.preprocess(
  camelKeys,
  z.object({
    id: OptionalId,
    url: z.string().min(1).max(URL_LIMIT),
    token: filled(HeaderText),
    authentication: nullish(
      z.object({
        scheme: filled(HeaderText),
        schemes: nullish(listOf(HeaderText, 16)),
        credentials: filled(HeaderText),
      }),
    ),
  }),
);

/** Parses a configuration sent with a message or on its own. `within` is its path in the parameters, for errors. */
export function readPushConfig(value: unknown, within: readonly string[]): Parsed<Omit<PushConfig, "taskId">> {
  const read = parse(ConfigIn, value, within);
  if (!read.ok) return read;
  const { authentication, ...config } = read.value;
  const scheme = authentication?.scheme ?? authentication?.schemes?.[0];
  if (scheme === undefined) {
    if (authentication?.credentials === undefined) return { ok: true, value: config };
    return invalidMember([...within, "authentication", "scheme"].join("."), "required with credentials");
  }
  return { ok: true, value: { ...config, authentication: { scheme, credentials: authentication?.credentials } } };
}

const SetIn = z.preprocess(camelKeys, z.looseObject({ taskId: Id, pushNotificationConfig: nullish(z.unknown()) }));

/** Parses the parameters that set a configuration. v0.3 nests the configuration, v1.0 does not; both are accepted. */
export function parseSetPush(params: unknown): Parsed<PushConfig> {
  const read = parse(SetIn, params);
  if (!read.ok) return read;
  const { taskId, pushNotificationConfig, ...flat } = read.value;
  const config =
    pushNotificationConfig === undefined
      ? readPushConfig(flat, [])
      : readPushConfig(pushNotificationConfig, ["pushNotificationConfig"]);
  return config.ok ? { ok: true, value: { ...config.value, taskId } } : config;
}

/** Returns the path of a configuration's URL in the parameters of the method that sets one, or of a send. */
export function pushUrlField(dialect: Dialect, within: "set" | "send"): string {
  if (within === "set") return dialect === "1.0" ? "url" : "pushNotificationConfig.url";
  return `configuration.${dialect === "1.0" ? "taskPushNotificationConfig" : "pushNotificationConfig"}.url`;
}

const KeyIn03 = z.preprocess(camelKeys, z.object({ id: Id, pushNotificationConfigId: OptionalId }));
const KeyIn10 = z.preprocess(camelKeys, z.object({ taskId: Id, id: OptionalId }));

/** Parses the key of configurations. `id` is the task's id in v0.3 and the configuration's id in v1.0. */
export function parsePushPlace(params: unknown, dialect: Dialect): Parsed<PushConfigKey> {
  if (dialect === "1.0") return parse(KeyIn10, params);
  const read = parse(KeyIn03, params);
  if (!read.ok) return read;
  return { ok: true, value: { taskId: read.value.id, id: read.value.pushNotificationConfigId } };
}

/** Parses the key of exactly one configuration. */
export function parseOnePush(params: unknown, dialect: Dialect): Parsed<Required<PushConfigKey>> {
  const read = parsePushPlace(params, dialect);
  if (!read.ok) return read;
  const { taskId, id } = read.value;
  if (id === undefined) return invalidMember(dialect === "1.0" ? "id" : "pushNotificationConfigId", "required");
  return { ok: true, value: { taskId, id } };
}

/** Renders a configuration without its token and credentials, which its readers need not know. */
export function renderPushConfig({ taskId, id, url, authentication }: PushConfig, dialect: Dialect): JsonObject {
  if (dialect === "1.0") {
    return { taskId, id, url, authentication: authentication && { scheme: authentication.scheme } };
  }
  const known = authentication && { schemes: [authentication.scheme] };
  return { taskId, pushNotificationConfig: { id, url, authentication: known } };
}

/** Renders all configurations of a task, which fit on one page. */
export function renderPushConfigs(configs: readonly PushConfig[], dialect: Dialect): JsonObject | JsonObject[] {
  const rendered = configs.map((config) => renderPushConfig(config, dialect));
  return dialect === "1.0" ? { configs: rendered, nextPageToken: "" } : rendered;
}
