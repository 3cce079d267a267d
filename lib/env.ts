import { isAbsolute, resolve } from "node:path";
import * as z from "zod";

const flag = z.enum(["0", "1", "true", "false", ""]).transform((value) => value === "1" || value === "true");
const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

/** The port that clients of LangGraph servers try first. */
export const DEFAULT_PORT = 2024;

/** The range of the setting `workers`, as `lib/protocol/most-workers.ts` has it. */
const WORKERS_RULE = "expected a whole number from 1 to 16";

/** Servers that share a database divide their work by these roles. */
const ROLES = ["api", "run", "build"] as const;

/** Where blobs are kept. */
export type BlobPlace = "database" | { folder: string } | { bucket: string; prefix: string };

function blobPlace(text: string): BlobPlace | undefined {
  if (text === "database") return text;
  if (isAbsolute(text)) return { folder: text };
  const [, bucket, prefix = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*?))?\/*$/.exec(text) ?? [];
  return bucket === undefined ? undefined : { bucket, prefix };
}

const Environment = z.object({
  /** When left out, the first free port from `DEFAULT_PORT` on. */
  PORT: optional(z.coerce.number().int().min(0).max(65_535)),
  HOST: optional(z.string()).transform((host) => host ?? "127.0.0.1"),
  /** The folder of all state. */
  GRAPHLIB_HOME: optional(z.string()).transform((home) => resolve(home ?? ".graphlib")),
  /** The folder of the application that the default deployment serves. */
  GRAPHLIB_APP: optional(z.string()).transform((app) => resolve(app ?? ".")),
  /** Keeps everything that is not a file in PostgreSQL instead of SQLite. */
  DATABASE_URL: optional(
    z.url({ protocol: /^postgres(ql)?$/, error: "expected postgres://user:password@host:port/database" }),
  ),
  /** Reaches the database without a pooler, for migrations and locks. When left out, as everything else does. */
  DATABASE_DIRECT_URL: optional(
    z.url({ protocol: /^postgres(ql)?$/, error: "expected postgres://user:password@host:port/database" }),
  ),
  /** `DATABASE_URL` leads to a pooler that gives each transaction another connection, such as PgBouncer. */
  DATABASE_POOLED: optional(flag).transform((pooled) => pooled ?? false),
  /** The name of each schema is this prefix, an underscore, and the deployment's name. */
  DATABASE_SCHEMA: optional(
    z.string().regex(/^[a-z_][a-z0-9_]{0,30}$/, "expected at most 31 of a-z, 0-9 and _, no digit first"),
  ).transform((schema) => schema ?? "graphlib"),
  /** The most connections to PostgreSQL, beside one that locks the schemas. All deployments share them. */
  DATABASE_POOL: optional(z.coerce.number().int().min(1).max(1_000)).transform((size) => size ?? 10),
  /**
   * Makes this server one of several on the same schemas, and says what it does, divided by commas. When left out, the server
   * does everything and lets no other one in.
   */
  GRAPHLIB_ROLES: optional(
    z
      .string()
      .transform((text) => text.split(",").map((role) => role.trim()))
      .pipe(z.array(z.enum(ROLES, `expected some of ${ROLES.join(",")}, divided by commas`))),
  ),
  /** Carries messages between servers that share a database. Without it, they look for each other's work. */
  REDIS_URL: optional(z.url({ protocol: /^rediss?$/, error: "expected redis://user:password@host:port" })),
  /** Seconds after which the runs of a server that shares its database and no longer answers go to others. */
  GRAPHLIB_LEASE_SECONDS: optional(z.coerce.number().int().min(2).max(600)).transform((seconds) => seconds ?? 15),
  /** Where servers that share a database keep builds and uploads for each other: `database`, a folder, or a bucket. */
  GRAPHLIB_BLOBS: optional(z.string()).transform((text, context) => {
    const place = blobPlace(text ?? "database");
    if (place) return place;
    context.addIssue({ code: "custom", message: "expected database, /an/absolute/folder or s3://bucket/prefix" });
    return z.NEVER;
  }),
  /** Encrypts secrets. To rotate, set several, divided by commas; the first encrypts. When left out, a file holds one. */
  GRAPHLIB_SECRET: optional(z.string().min(16, "expected at least 16 characters")).transform((text) =>
    text === undefined ? undefined : text.split(",").map((one) => one.trim()),
  ),
  /** Allows folders of this machine and repositories in its network. The default is to allow if no others can call. */
  ALLOW_LOCAL_SOURCES: optional(flag),
  /** The number of concurrent builds. */
  GRAPHLIB_BUILD_SLOTS: optional(z.coerce.number().int().min(1).max(64)).transform((slots) => slots ?? 2),
  GRAPHLIB_API_KEY: optional(z.string().min(8, "expected at least 8 characters")),
  /** The address at which others reach this server, for cards and copied URLs. */
  PUBLIC_URL: optional(z.url({ protocol: /^https?$/ })),
  /** Trusts `X-Forwarded-*`. Set it only behind a proxy that sets these headers. */
  TRUST_PROXY: optional(flag).transform((trust) => trust ?? false),
  /** The number of runs that one process of a deployment executes concurrently, on average. */
  GRAPHLIB_RUN_SLOTS: optional(z.coerce.number().int().min(1).max(100_000)).transform((slots) => slots ?? 256),
  /** The sum of all request bodies above 64 kB that the server holds at a time. A single body may have 10 MB. */
  GRAPHLIB_BODY_BUDGET_MB: optional(z.coerce.number().int().min(10)).transform((mb) => mb ?? 64),
  /** The number of processes of the default deployment. Others have the setting `workers`. */
  GRAPHLIB_WORKERS: optional(
    z.coerce.number(WORKERS_RULE).int(WORKERS_RULE).min(1, WORKERS_RULE).max(16, WORKERS_RULE),
  ).transform((workers) => workers ?? 1),
  /** The heap of one process of the default deployment, in MB. */
  GRAPHLIB_WORKER_MEMORY_MB: optional(z.coerce.number().int().min(64)).transform((mb) => mb ?? 512),
  /** A server that is root runs deployments and install scripts as 6,000 users from this id on; 0 disables that. */
  GRAPHLIB_WORKER_UID_BASE: optional(z.coerce.number().int().min(0).max(4_000_000_000)).transform(
    (uid) => uid ?? 52_000,
  ),
  /** `allow` runs code from repositories and archives without a fence on a server that others can reach. */
  GRAPHLIB_UNFENCED: optional(z.enum(["allow"])).transform((value) => value === "allow"),
  /** Allows webhooks to hosts that are not public, such as this machine. Set it for tests, or if all callers are trusted. */
  GRAPHLIB_ALLOW_PRIVATE_WEBHOOKS: optional(flag).transform((allow) => allow ?? false),
  /** Signs webhooks by the Standard Webhooks specification: `whsec_` and base64, or any text. */
  GRAPHLIB_WEBHOOK_SECRET: optional(z.string().min(8, "expected at least 8 characters")),
  /** Allows A2A push notifications, if an application enables them as well. */
  GRAPHLIB_A2A_PUSH: optional(flag).transform((allow) => allow ?? false),
  /** Signs agent cards: a private key as PEM (PKCS #8) or JWK. */
  GRAPHLIB_CARD_KEY: optional(z.string()),
  /** Seconds for which the events of a finished run stay readable. */
  RESUMABLE_STREAM_TTL_SECONDS: optional(z.coerce.number().int().min(1)).transform((seconds) => seconds ?? 120),
  /** Seconds for which a server that is to stop still answers requests, so that no new ones are sent to it before it ends. */
  GRAPHLIB_DRAIN_SECONDS: optional(z.coerce.number().int().min(0).max(600)).transform((seconds) => seconds ?? 0),
  /** Seconds for which runs may continue after a stop was requested. */
  GRAPHLIB_GRACE_SECONDS: optional(z.coerce.number().int().min(0)).transform((seconds) => seconds ?? 10),
});
export type Environment = z.infer<typeof Environment> & { ALLOW_LOCAL_SOURCES: boolean };

/** Throws `EnvironmentError` when migrations and locks would have no connection of their own. */
function requireDirect({ DATABASE_POOLED: pooled, DATABASE_DIRECT_URL: direct }: z.infer<typeof Environment>): void {
  if (!pooled || direct !== undefined) return;
  throw new EnvironmentError(
    "DATABASE_POOLED needs DATABASE_DIRECT_URL: a pooler has no connection for migrations and locks.\n" +
      "  Set it to the address of PostgreSQL itself.",
  );
}

type Shared = Pick<Environment, "GRAPHLIB_ROLES" | "DATABASE_URL" | "GRAPHLIB_SECRET">;

/** Thrown with one line for every variable that is wrong. */
export class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
}

/** Reads the environment. Throws `EnvironmentError` with all malformed variables. Only this file and `program-env.ts` read `process.env`. */
export function readEnvironment(source: Readonly<Record<string, string | undefined>> = process.env): Environment {
  const environment = parsed(Environment, withAliases(source));
  if (environment.GRAPHLIB_API_KEY === undefined && !isLoopback(environment.HOST)) {
    throw new EnvironmentError(
      `HOST=${environment.HOST} would let other machines run code here without a key.\n` +
        `  Set GRAPHLIB_API_KEY to a secret (${MAKE_KEY}), or leave HOST at 127.0.0.1.`,
    );
  }
  requireShared(environment);
  requireDirect(environment);
  if (isShort(environment.GRAPHLIB_API_KEY) && isReachable(environment)) {
    const { HOST: host, PUBLIC_URL: url } = environment;
    throw new EnvironmentError(
      `GRAPHLIB_API_KEY is too short for ${isLoopback(host) ? `PUBLIC_URL=${url}` : `HOST=${host}`}: other machines could guess it.\n` +
        `  Make one of at least ${KEY_LENGTH} characters: ${MAKE_KEY}`,
    );
  }
  return { ...environment, ALLOW_LOCAL_SOURCES: environment.ALLOW_LOCAL_SOURCES ?? !isReachable(environment) };
}

/** Names that other servers of LangGraph have for the same settings. */
const ALIASES = { DATABASE_URL: "POSTGRES_URI", REDIS_URL: "REDIS_URI", GRAPHLIB_RUN_SLOTS: "N_JOBS_PER_WORKER" };

function withAliases(source: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const given = Object.entries(ALIASES).map(([name, alias]): [string, string | undefined] => [
    name,
    source[name] || source[alias],
  ]);
  return { ...source, ...Object.fromEntries(given) };
}

/** Throws `EnvironmentError` when a server that is to share its database lacks what all of them need. */
function requireShared({ GRAPHLIB_ROLES: roles, DATABASE_URL: url, GRAPHLIB_SECRET: secret }: Shared): void {
  if (roles === undefined) return;
  if (url === undefined) {
    throw new EnvironmentError(
      "GRAPHLIB_ROLES is for servers that share a PostgreSQL database.\n" +
        "  Set DATABASE_URL to it, or leave GRAPHLIB_ROLES out: one server does everything.",
    );
  }
  if (secret === undefined) {
    throw new EnvironmentError(
      "GRAPHLIB_ROLES needs GRAPHLIB_SECRET: what one server encrypts, the others have to read.\n" +
        `  Set the same on all of them: ${MAKE_KEY}`,
    );
  }
}

/** The length of a random key that cannot be guessed. */
const KEY_LENGTH = 32;
const MAKE_KEY = "openssl rand -base64 32";

const isShort = (key: string | undefined): boolean => key !== undefined && key.length < KEY_LENGTH;

/** Returns a warning about the key of a server that starts all the same. */
export function keyWarning(environment: Environment): string | undefined {
  const { GRAPHLIB_API_KEY: key, PUBLIC_URL: url } = environment;
  if (key === undefined && isReachable(environment)) {
    return `there is no GRAPHLIB_API_KEY: whoever reaches ${url} can run code here, unless a proxy in front of it asks who is calling`;
  }
  if (!isShort(key)) return undefined;
  return `GRAPHLIB_API_KEY has less than ${KEY_LENGTH} characters, too few where others reach this server: make one with ${MAKE_KEY}`;
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Returns whether others than this machine's users can reach the server, directly or by a proxy. */
export function isReachable({ HOST: host, PUBLIC_URL: url }: Pick<Environment, "HOST" | "PUBLIC_URL">): boolean {
  const shown = url === undefined ? undefined : new URL(url).hostname;
  return !isLoopback(host) || (shown !== undefined && !isLoopback(shown) && !shown.endsWith(".localhost"));
}

const ClientEnvironment = z.object({
  /** The address of the server that the command line calls. */
  GRAPHLIB_URL: optional(
    z
      .url({ protocol: /^https?$/, error: "expected http://host:port" })
      .refine((url) => new URL(url).username === "", "expected no user in it: the key goes into GRAPHLIB_API_KEY"),
  ),
  GRAPHLIB_API_KEY: optional(z.string()),
});

/** Returns the server that the command line calls, and its key. Throws `EnvironmentError`. */
export function readClientEnvironment(source: Readonly<Record<string, string | undefined>> = process.env): {
  url: string;
  key?: string;
} {
  const { GRAPHLIB_URL: url, GRAPHLIB_API_KEY: key } = parsed(ClientEnvironment, source);
  return { url: (url ?? `http://127.0.0.1:${DEFAULT_PORT}`).replace(/\/+$/, ""), key };
}

const S3Environment = z.object({
  AWS_ACCESS_KEY_ID: z.string("expected the key of the bucket"),
  AWS_SECRET_ACCESS_KEY: z.string("expected the secret of the bucket's key"),
  AWS_SESSION_TOKEN: optional(z.string()),
  AWS_REGION: optional(z.string()),
  AWS_DEFAULT_REGION: optional(z.string()),
  /** The address of another service than Amazon's. */
  AWS_ENDPOINT_URL_S3: optional(z.url({ protocol: /^https?$/ })),
  AWS_ENDPOINT_URL: optional(z.url({ protocol: /^https?$/ })),
});

/** Reads how to reach S3, from the variables that Amazon's own programs read. Throws `EnvironmentError`. */
export function readS3Environment(source: Readonly<Record<string, string | undefined>> = process.env) {
  const read = parsed(S3Environment, source);
  const endpoint = read.AWS_ENDPOINT_URL_S3 ?? read.AWS_ENDPOINT_URL;
  return {
    accessKeyId: read.AWS_ACCESS_KEY_ID,
    secretAccessKey: read.AWS_SECRET_ACCESS_KEY,
    sessionToken: read.AWS_SESSION_TOKEN,
    region: read.AWS_REGION ?? read.AWS_DEFAULT_REGION ?? "us-east-1",
    endpoint: endpoint?.replace(/\/+$/, ""),
  };
}

function parsed<S extends z.ZodType>(schema: S, source: Readonly<Record<string, string | undefined>>): z.infer<S> {
  const result = schema.safeParse(source);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
  throw new EnvironmentError(`These environment variables are not usable:\n${lines.join("\n")}`);
}

/**
 * Sets the variables that the command line overrides. Relative folders start where the command was typed, which npm
 * stores in `INIT_CWD`, because scripts run in the package's folder.
 */
export function takeArguments(values: { app?: string; port?: string; host?: string; home?: string }): void {
  const from = process.env.INIT_CWD ?? process.cwd();
  if (values.app !== undefined) process.env.GRAPHLIB_APP = resolve(from, values.app);
  if (values.home !== undefined) process.env.GRAPHLIB_HOME = resolve(from, values.home);
  if (values.port !== undefined) process.env.PORT = values.port;
  if (values.host !== undefined) process.env.HOST = values.host;
}
