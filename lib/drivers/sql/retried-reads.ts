/** A pool of connections to PostgreSQL whose reads wait for a database that is away. */
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { tryAgain } from "./try-again.ts";

/** Statements that only read. Kysely builds no other ones that begin so. */
const READ = /^\s*select\b/i;

/**
 * Returns a pool each of whose reads takes a connection of its own, and another one when that breaks. Any other statement keeps its
 * connection until the release, as transactions need it. `onUnavailable` is called once for each read that has to wait.
 */
export function retryingReads(pool: PostgresPool, onUnavailable: (cause: unknown) => void): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    connect() {
      let kept: PostgresPoolClient | undefined;
      const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
        if (!kept && READ.test(text)) return await tryAgain(() => queryOnce(pool, text, values), onUnavailable);
        kept ??= await pool.connect();
        return await kept.query(text, values);
      };
      // It has no cursors, which nobody asks for.
      return Promise.resolve({
        query: query as PostgresPoolClient["query"],
        release: (destroy) => kept?.release(destroy),
      });
    },
  };
}

async function queryOnce(pool: PostgresPool, text: string, values: readonly unknown[]): Promise<unknown> {
  const client = await pool.connect();
  try {
    return await client.query(text, values);
  } finally {
    client.release();
  }
}
