import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";
import { Kysely, type SqliteDatabase, SqliteDialect } from "kysely";
import { sqliteFunctions } from "./dialect.ts";
import { type DirectDatabase, setDirect } from "./transaction.ts";
import { migrate, type Shape } from "./migrate.ts";

/**
 * Opens a database file; creates and migrates it first. It uses WAL with `synchronous = NORMAL`: a killed process loses
 * nothing that was committed; a power cut may lose the last moments but never corrupts the file.
 */
export async function openSqlite<T>(file: string, shape: Shape<T>): Promise<Kysely<T>> {
  mkdirSync(dirname(file), { recursive: true });
  const database = new Sqlite(file);
  // This comes before SQLite creates the log beside it, which inherits the file's mode.
  for (const path of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(path)) chmodSync(path, 0o600);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = NORMAL");
  database.pragma("busy_timeout = 5000");
  // The unit is pages of 4 kB. A checkpoint waits for the disk, so fewer and larger ones cost a run less.
  database.pragma("wal_autocheckpoint = 10000");
  for (const [name, does] of Object.entries(sqliteFunctions())) database.function(name, { deterministic: true }, does);
  const cached = cachingStatements(database);
  const db = new Kysely<T>({ dialect: new SqliteDialect({ database: cached }) });
  setDirect(db, cached);
  await migrate(db, shape);
  return db;
}

/** The most prepared statements to keep. There are few distinct ones: code builds them, and values are bound. */
const STATEMENTS = 200;

function cachingStatements(database: Sqlite.Database): SqliteDatabase & DirectDatabase {
  const prepared = new Map<string, Sqlite.Statement>();
  return {
    get inTransaction() {
      return database.inTransaction;
    },
    prepare(text: string) {
      const known = prepared.get(text);
      if (known) return known;
      const statement = database.prepare(text);
      if (prepared.size >= STATEMENTS) prepared.clear();
      prepared.set(text, statement);
      return statement;
    },
    close: () => void database.close(),
  };
}

/**
 * Locks a folder for the lifetime of this process. The kernel holds the lock, which is taken through SQLite, so it
 * cannot become stale however the process ends. Throws when another process holds it.
 */
export function lockFolder(folder: string): { release(): void } {
  mkdirSync(folder, { recursive: true });
  const lock = new Sqlite(`${folder}/lock.sqlite`, { timeout: 0 });
  try {
    lock.pragma("locking_mode = EXCLUSIVE");
    lock.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    lock.close();
    throw new Error(
      `${folder} is in use by another Graphlib server: stop that one or set GRAPHLIB_HOME to another folder`,
      {
        cause,
      },
    );
  }
  return { release: () => lock.close() };
}
