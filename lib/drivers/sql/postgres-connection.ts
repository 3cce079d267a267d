import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { codeOf, isUnavailable } from "./try-again.ts";

const CONNECT_MS = 10_000;
/** PostgreSQL silently truncates longer schema names. */
const NAME_BYTES = 63;
/** Makes the server notice within a minute that a client machine is gone, and free its locks. */
const KEEPALIVE = "-c tcp_keepalives_idle=20 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3";

/**
 * Returns the options for `pg` to connect to `postgres://user:password@host:port/database`. `schema` becomes the search path for
 * unqualified names, and the name that PostgreSQL shows in `pg_stat_activity`, unless one is given. With `idleMs`, a transaction in
 * which the client sends nothing for that time is ended: a process that stands still keeps no locks.
 */
export function connectionTo(
  url: string,
  { schema, name = schema ?? "", idleMs, pooled = false }: HowToConnect,
): pg.ClientConfig {
  return {
    connectionString: pooled ? url : withOptions(url, schema, idleMs),
    application_name: `graphlib ${name}`,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    pipeline: true,
  };
}

interface HowToConnect {
  schema?: string;
  name?: string;
  idleMs?: number | undefined;
  /** The address is that of a pooler, whose sessions are not this client's to set up. */
  pooled?: boolean;
}

function withOptions(url: string, schema: string | undefined, idleMs: number | undefined): string {
  const address = new URL(url);
  const idle = idleMs === undefined ? "" : `-c idle_in_transaction_session_timeout=${idleMs}`;
  const path = schema === undefined ? "" : searchPath(schema);
  const options = [KEEPALIVE, address.searchParams.get("options"), path, idle];
  address.searchParams.set("options", options.filter(Boolean).join(" "));
  return address.href;
}

function searchPath(schema: string): string {
  if (Buffer.byteLength(schema) > NAME_BYTES)
    throw new Error(`The schema name ${schema} is longer than ${NAME_BYTES} bytes`);
  return `-c search_path="${schema.replaceAll('"', '""').replaceAll(/[\\\s]/g, "\\$&")}"`;
}

/**
 * Returns a pool of at most `size` connections, as `connectionTo` describes them. It connects when it is used. With `timeoutMs`, a
 * statement that has not been answered by then fails with its connection.
 */
export function createPool(
  url: string,
  { size, timeoutMs, ...how }: HowToConnect & { size: number; timeoutMs?: number },
): pg.Pool {
  const timeouts = timeoutMs === undefined ? {} : { query_timeout: timeoutMs, connectionTimeoutMillis: timeoutMs };
  const pool = new pg.Pool({ ...connectionTo(url, how), ...timeouts, max: size, types: typesOfPool() });
  // The pool drops a broken idle connection and emits "error", which would end the process without a listener.
  pool.on("error", () => undefined);
  // A broken connection in use rejects its queries and emits "error" too.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** Parses `bigint` and `numeric` (sums, counts) as numbers: times in ms and all counts stay below 2^53. */
function typesOfPool(): pg.TypeOverrides {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  types.setTypeParser(pg.types.builtins.NUMERIC, Number);
  return types;
}

const RETRY_MS = 1_000;

/** Resolves when the database accepts a connection. Throws when it refuses this user, or is not there. */
export async function untilReachable(url: string, onWait: (reason: string) => void): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client(connectionTo(url, { name: "start" }));
    client.on("error", () => undefined);
    try {
      await connectOrExplain(url, () => client.connect());
      return;
    } catch (error) {
      if (!(error instanceof Error) || !isAway(error.cause)) throw error;
      if (attempt === 0) onWait(error.message);
    } finally {
      await client.end().catch(() => undefined);
    }
    await sleep(RETRY_MS);
  }
}

/** Returns whether a connection may be accepted later. A pooler refuses a wrong password by `08P01`, which stays wrong. */
function isAway(error: unknown): boolean {
  return isUnavailable(error) && codeOf(error) !== "08P01";
}

/** Connects, or throws an error with a readable reason that contains no secret. */
export async function connectOrExplain<T>(url: string, connect: () => Promise<T>): Promise<T> {
  try {
    return await connect();
  } catch (cause) {
    const { host, pathname } = new URL(url);
    // A host name with several addresses fails with an AggregateError that has no message of its own.
    const reason = cause instanceof AggregateError ? cause.errors.map(String).join(", ") : String(cause);
    throw new Error(`No connection to PostgreSQL at ${host}${pathname} (DATABASE_URL). ${reason}`, { cause });
  }
}
