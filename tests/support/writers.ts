import type { GroupCommit } from "../../lib/drivers/sql/group-commit.ts";
import { deploymentShape } from "../../lib/drivers/sql/migrations.ts";
import { SqlLines } from "../../lib/drivers/sql/platform/lines.ts";
import { platformShape } from "../../lib/drivers/sql/platform/shape.ts";
import { sqlStores } from "../../lib/drivers/sql/stores.ts";
import type { Db, Tables } from "../../lib/drivers/sql/tables.ts";
import type { LineLog } from "../../lib/engine/ports/line-log.ts";
import { findPostgres, queryPostgres, withoutDiskSync, openPostgres } from "./postgres.ts";

/** The stores of one server. */
export type Writer = ReturnType<typeof sqlStores> & { db: Db; commit: GroupCommit<Tables> };

/** Opens schemas of PostgreSQL several times each, as several servers do. */
export async function writersOnPostgres() {
  const found = await findPostgres();
  const url = found ?? "";
  const schemas: string[] = [];
  const opened: { destroy(): Promise<void> }[] = [];
  const newSchema = (): string => {
    const schema = `graphlib_writers_${process.pid}_${schemas.length}`;
    schemas.push(schema);
    return schema;
  };

  const openWriter = async (schema: string): Promise<Writer> => {
    const { db, commit } = await openPostgres(withoutDiskSync(url), schema, deploymentShape);
    opened.push(db);
    return { ...sqlStores(db, commit), db, commit };
  };

  return {
    isFound: found !== undefined,
    url,
    /** Opens a new schema once for each name. */
    async openWriters<Name extends string>(...names: Name[]) {
      const schema = newSchema();
      const writers = await Promise.all(names.map(async (name) => [name, await openWriter(schema)] as const));
      return { ...(Object.fromEntries(writers) as Record<Name, Writer>), schema };
    },
    /** Opens the logs of a new platform once for each of several servers. Their failures are added to `failures`. */
    async openLogs(count: number, failures: unknown[]): Promise<LineLog[]> {
      const schema = newSchema();
      const open = async (): Promise<LineLog> => {
        const { db, commit } = await openPostgres(withoutDiskSync(url), schema, platformShape);
        opened.push(db);
        return new SqlLines(db, commit, { now: Date.now, onFailure: (cause) => failures.push(cause) });
      };
      return await Promise.all(Array.from({ length: count }, open));
    },
    async close(): Promise<void> {
      for (const db of opened) await db.destroy();
      for (const schema of schemas) await queryPostgres(url, `drop schema if exists "${schema}" cascade`);
    },
    /**
     * Keeps the transaction of all writes that were called in this turn open, after they have been executed. Returns a function
     * that lets it commit.
     */
    async hold({ commit }: Writer): Promise<() => void> {
      const entered = Promise.withResolvers<void>();
      const left = Promise.withResolvers<void>();
      const held = commit(async () => {
        entered.resolve();
        await left.promise;
      });
      await Promise.race([entered.promise, held]);
      return () => left.resolve();
    },
    /** Resolves when the promise has settled, or so many statements of the schema wait for a lock. */
    async settledOrBlocked(promise: Promise<unknown>, schema: string, blocked = 1): Promise<void> {
      let settled = false;
      void promise.catch(() => undefined).then(() => (settled = true));
      for (;;) {
        const waiting = await queryPostgres(
          url,
          "select 1 from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'",
          [`graphlib ${schema}`],
        );
        if (settled || waiting.length >= blocked) return;
      }
    },
  };
}
