import { escapeIdentifier } from "pg";
import { createPool } from "./postgres-connection.ts";

/** The server that a lease is for. */
export interface LeaseHolder {
  /** The name of its machine. */
  host: string;
  /** Its roles, divided by commas. */
  roles: string;
  /** Prints of its secrets, divided by commas. */
  secrets: string;
}

/** A lease that is stored. */
export interface StoredLease extends LeaseHolder {
  executor_id: string;
  /** By the database's clock, in ms since the epoch. */
  expires: number;
  /** The reports of the server on its deployments, as JSON. */
  deployments: string;
}

/** Rows of leases that are over stay for this time. A lease that has no row is over as well. */
const KEPT_MS = 3_600_000;
/** The database's time, in ms since the epoch. */
const NOW = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

/**
 * Returns the statements on leases, in the platform's schema. They have a connection of their own, so that they never wait for
 * the work of the server. Each fails after `timeoutMs`.
 */
export function leaseStatements(url: string, schema: string, timeoutMs: number) {
  const pool = createPool(url, { size: 1, name: `${schema} lease`, timeoutMs });
  const table = `${escapeIdentifier(schema)}.executors`;
  return {
    /** Returns the database's time; undefined when a server that is alone has locked the schema. */
    async begin(id: string, { host, roles, secrets }: LeaseHolder, forMs: number): Promise<number | undefined> {
      const { rows } = await pool.query<{ now: number }>(
        `with lock as materialized (select pg_try_advisory_xact_lock_shared(hashtextextended($1, 0)) as is_free)
         insert into ${table} (executor_id, host, roles, secrets, expires)
         select $2, $3, $4, $5, ${NOW} + $6 from lock where is_free returning expires - $6 as now`,
        [`graphlib ${schema}`, id, host, roles, secrets, forMs],
      );
      return rows[0]?.now;
    },
    /** Returns the database's time; undefined when the lease is over. */
    async renew(id: string, forMs: number): Promise<number | undefined> {
      const { rows } = await pool.query<{ now: number }>(
        `update ${table} set expires = ${NOW} + $2 where executor_id = $1 and expires > ${NOW}
         returning expires - $2 as now`,
        [id, forMs],
      );
      return rows[0]?.now;
    },
    /** Stores what the server says of its deployments, as JSON. */
    async report(id: string, deployments: string): Promise<void> {
      await pool.query(`update ${table} set deployments = $2 where executor_id = $1`, [id, deployments]);
    },
    async end(id: string): Promise<void> {
      await pool.query(`delete from ${table} where executor_id = $1`, [id]);
    },
    /** Lists the leases that are not over. */
    async list(): Promise<StoredLease[]> {
      return (
        await pool.query<StoredLease>(`select * from ${table} where expires > ${NOW} order by host, roles, executor_id`)
      ).rows;
    },
    async sweep(): Promise<void> {
      await pool.query(`delete from ${table} where expires < ${NOW} - $1`, [KEPT_MS]);
    },
    close: () => pool.end(),
  };
}
