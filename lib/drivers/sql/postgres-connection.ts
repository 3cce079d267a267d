import pg from "pg";

const CONNECT_MS = 10_000;
/** Names of schemas are cut to this many bytes without a word. */
const NAME_BYTES = 63;
/** So that a machine that vanished is noticed within a minute, and what it held is free. */
const KEEPALIVE = "-c tcp_keepalives_idle=20 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3";

/**
 * What `pg` needs to connect to `postgres://user:password@host:port/database`, with the schema as the place of all names
 * that say none.
 */
export function connectionTo(url: string, schema: string): pg.ClientConfig {
  if (Buffer.byteLength(schema) > NAME_BYTES) throw new Error(`Schema ${schema} has a name above ${NAME_BYTES} bytes`);
  const address = new URL(url);
  const path = `-c search_path="${schema.replaceAll('"', '""').replaceAll(/[\\\s]/g, "\\$&")}"`;
  address.searchParams.set("options", [KEEPALIVE, address.searchParams.get("options"), path].filter(Boolean).join(" "));
  return {
    connectionString: address.href,
    application_name: `graphlib ${schema}`,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    pipeline: true,
  };
}

/** Connects, or throws with a reason for people; it holds nothing secret. */
export async function reach<T>(url: string, connect: () => Promise<T>): Promise<T> {
  try {
    return await connect();
  } catch (cause) {
    const { host, pathname } = new URL(url);
    // A name with several addresses fails with several errors, and no message of its own.
    const reason = cause instanceof AggregateError ? cause.errors.map(String).join(", ") : String(cause);
    throw new Error(`No connection to PostgreSQL at ${host}${pathname} (DATABASE_URL). ${reason}`, { cause });
  }
}
