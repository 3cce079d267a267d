/**
 * Records of commits, which are part of the transactions themselves: each stores an id, in place of the last one. Whoever gets no
 * answer to a commit finds out by the id whether it took effect.
 *
 * The ids that PostgreSQL gives to transactions cannot tell this: after a crash it gives them again.
 */
import { escapeIdentifier } from "pg";
import { newIds } from "../new-id.ts";

/** The time for which the record of a server that has gone stays, in ms. */
const KEPT_MS = 86_400_000;

interface Connection {
  query<Row extends object>(text: string, values: unknown[]): Promise<{ rows: Row[] }>;
}

export interface CommitRecords {
  /** Stores the id of the transaction that has begun on the connection. The first one removes the records of servers that are gone. */
  store(client: Connection, id: string): Promise<unknown>;
  /** Tells that the transaction with the id that was stored last is committed, so that the next one replaces its record. */
  committed(id: string): void;
  /**
   * Returns whether a transaction took effect. It waits for one that is still ending; one that has not arrived in the database
   * cannot take effect any more.
   */
  isCommitted(client: Connection, id: string): Promise<boolean>;
}

/** Returns the records of one writer, which runs one transaction at a time. */
export function commitRecords(schema: string): CommitRecords {
  const table = `${escapeIdentifier(schema)}.commits`;
  let last: string | undefined;
  return {
    store(client, id) {
      const replaced = last === undefined ? "commit_id < $1" : "commit_id = $1";
      return client.query(
        `with replaced as (delete from ${table} where ${replaced}) insert into ${table} (commit_id) values ($2)`,
        [last ?? anOldId(), id],
      );
    },
    committed(id) {
      last = id;
    },
    async isCommitted(client, id) {
      // Where it is not stored yet, this stores it first, and the transaction itself fails at its own record if it arrives later.
      const statement = `insert into ${table} (commit_id, committed) values ($1, false)
        on conflict (commit_id) do update set committed = commits.committed returning committed`;
      const { rows } = await client.query<{ committed: boolean }>(statement, [id]);
      return rows[0]?.committed === true;
    },
  };
}

function anOldId(): string {
  return newIds(() => Date.now() - KEPT_MS)();
}
