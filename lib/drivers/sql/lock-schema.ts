import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { connectionTo, connectOrExplain } from "./postgres-connection.ts";

/** The time that the lock of a killed process may outlive it. */
const LINGER_MS = 5_000;
const RETRY_MS = 200;

/**
 * Locks a schema for the lifetime of this process; the database frees the lock with the connection. Throws when another
 * process holds it. After a broken connection the lock is taken again as soon as the database is back; if another
 * process was faster, `onLost` is called with the reason.
 */
export async function lockSchema(
  url: string,
  schema: string,
  onLost: (reason: string) => void,
): Promise<{ release(): Promise<void> }> {
  const inUse =
    `Schema ${schema} is in use by another Graphlib server: ` +
    "stop that one, start both with GRAPHLIB_ROLES, or set DATABASE_SCHEMA or DATABASE_URL to another";
  let released = false;
  let client = await connectOrExplain(url, () => connect(url, schema));
  const watch = (): void => {
    client.once("end", () => void lockAgain());
  };
  const lockAgain = async (): Promise<void> => {
    while (!released) {
      await sleep(RETRY_MS);
      const next = await connect(url, schema).catch(() => undefined);
      if (!next) continue;
      client = next;
      const held = released ? false : await lock(client, schema).catch(() => undefined);
      // This connection broke as well.
      if (held === undefined) continue;
      if (held) watch();
      else await client.end();
      if (!held && !released) onLost(inUse);
      return;
    }
  };
  if (!(await lock(client, schema))) {
    await client.end();
    throw new Error(inUse);
  }
  watch();
  return {
    async release() {
      released = true;
      await client.end();
    },
  };
}

async function connect(url: string, schema: string): Promise<pg.Client> {
  const client = new pg.Client(connectionTo(url, { schema }));
  // A broken connection emits `end` as well, but an `error` without a listener would end the process.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Returns false when another process still holds the lock after `LINGER_MS`. */
async function lock(client: pg.Client, schema: string): Promise<boolean> {
  const until = performance.now() + LINGER_MS;
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>(
      "select pg_try_advisory_lock(hashtextextended($1, 0)) as held",
      [`graphlib ${schema}`],
    );
    if (rows[0]?.held) return true;
    if (performance.now() > until) return false;
    await sleep(RETRY_MS);
  }
}
