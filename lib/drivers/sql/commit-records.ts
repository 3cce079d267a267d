/**
 * Records of commits, which are part of the transactions themselves: each stores an id. Whoever gets no answer to a commit finds out
 * by the id whether it took effect.
 *
 * The ids that PostgreSQL gives to transactions cannot tell this: after a crash it gives them again.
 */
import { escapeIdentifier } from "pg";
import { newIds } from "../new-id.ts";

/** The number of records after which a writer removes its own, so that few transactions have to. */
const MOST = 250;
/** The time for which the records of a server that has gone stay, in ms. */
const KEPT_MS = 86_400_000;

interface Connection {
  query<Row extends object>(text: string, values: unknown[]): Promise<{ rows: Row[] }>;
}

export interface CommitRecords {
  /** Begins a transaction on the connection and stores its id, in one message. Now and then it removes old records too. */
  begin(client: Connection, id: string): Promise<unknown>;
  /** Tells that the last transaction is committed, so that nobody will ask for it. */
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
  /** The ids of own transactions that are known to be committed; undefined until there is one. */
  let known: string[] | undefined;
  return {
    begin(client, id) {
      const begun = client.query(`begin; insert into ${table} (commit_id) values ('${id}')`, []);
      if (known && known.length < MOST) return begun;
      const removed = known
        ? client.query(`delete from ${table} where commit_id = any($1)`, [known])
        : client.query(`delete from ${table} where commit_id < $1`, [anOldId()]);
      return Promise.all([begun, removed]);
    },
    committed(id) {
      if (!known || known.length >= MOST) known = [];
      known.push(id);
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
