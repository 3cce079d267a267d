import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { queryPostgres } from "./postgres.ts";

/** The rows of the sessions in a server's own database. */
export interface StoredSessions {
  env: Record<string, string>;
  hashes(home: string): Promise<string[]>;
  /** Moves a session's sign-in or last use back by `ms`. */
  age(home: string, hash: string, column: "created_at" | "last_used", ms: number): Promise<void>;
}

export const inSqlite: StoredSessions = {
  env: {},
  hashes(home) {
    const db = new Sqlite(join(home, "platform.sqlite"), { readonly: true });
    const rows = db.prepare<[], { hash: string }>("select hash from sessions").all();
    db.close();
    return Promise.resolve(rows.map(({ hash }) => hash));
  },
  age(home, hash, column, ms) {
    const db = new Sqlite(join(home, "platform.sqlite"));
    db.prepare(`update sessions set ${column} = ${column} - ? where hash = ?`).run(ms, hash);
    db.close();
    return Promise.resolve();
  },
};

/** Sessions in PostgreSQL. The names of all its schemas begin with `schema`. */
export function inPostgres(url: string, schema: string): StoredSessions {
  return {
    env: { DATABASE_URL: url, DATABASE_SCHEMA: schema },
    async hashes() {
      const rows = await queryPostgres<{ hash: string }>(url, `select hash from ${schema}_platform.sessions`);
      return rows.map(({ hash }) => hash);
    },
    async age(_home, hash, column, ms) {
      const statement = `update ${schema}_platform.sessions set ${column} = ${column} - $1 where hash = $2`;
      await queryPostgres(url, statement, [ms, hash]);
    },
  };
}
