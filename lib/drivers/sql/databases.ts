/** The databases of a server: files below its home folder, or schemas of one PostgreSQL database. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Kysely } from "kysely";
import type { Logger } from "../../engine/ports/ports.ts";
import { type GroupCommit, groupCommit } from "./group-commit.ts";
import { type LeaseOptions, openLease, requireNoLeases, type ServerLease } from "./lease.ts";
import { lockSchema } from "./lock-schema.ts";
import type { Shape } from "./migrate.ts";
import { deploymentShape } from "./migrations.ts";
import { platformShape } from "./platform/shape.ts";
import type { PlatformTables } from "./platform/tables.ts";
import { dropSchema, openSchema } from "./postgres.ts";
import { createPool, untilReachable } from "./postgres-connection.ts";
import { lockFolder, openSqlite } from "./sqlite.ts";
import type { Tables } from "./tables.ts";

/** The time after a warning in which no other is logged, in ms: many requests may wait at once. */
const QUIET_MS = 30_000;

export interface OpenDatabase<T> {
  db: Kysely<T>;
  commit: GroupCommit<T>;
}

export interface Databases {
  /** Resolves when the database can be reached. Until then it is tried again; `onWait` is called once with the reason. */
  untilReachable(onWait: (reason: string) => void): Promise<void>;
  openPlatform(): Promise<OpenDatabase<PlatformTables>>;
  openDeployment(name: string): Promise<OpenDatabase<Tables>>;
  /** Removes the database of a deployment with all that is in it. It has to be closed; there may be none. */
  dropDeployment(name: string): Promise<void>;
  /** Closes the connections that the databases share. All of them have to be closed. */
  close(): Promise<void>;
  /**
   * Locks these databases until the returned function is called: the folder, and the schemas unless they are shared. Throws when
   * another server has locked them.
   */
  lock(): Promise<() => Promise<void>>;
  /**
   * Gets the lease of a server that shares the schemas; undefined for one that has them for itself. The platform's database has to
   * be open. Throws when other servers use the schemas in the other way.
   */
  openLease(): Promise<ServerLease | undefined>;
}

export interface DatabasesOptions {
  /** The folder of all state. */
  home: string;
  /** `postgres://user:password@host:port/database`; SQLite when left out. */
  url: string | undefined;
  /** Reaches the same database without a pooler, for what needs a connection of its own; `url` when left out. */
  directUrl?: string | undefined;
  /** `url` leads to a pooler that gives each transaction another connection. */
  pooled?: boolean;
  /** Schemas are named by this, an underscore and what they are for. */
  prefix: string;
  /** The most connections to PostgreSQL that all schemas share. */
  poolSize: number;
  /** How a server shares the schemas with others; undefined for one that has them for itself. */
  shared: SharedSchemas | undefined;
  logger: Logger;
}

export type SharedSchemas = Pick<LeaseOptions, "holder" | "lengthMs" | "clock">;

export function createDatabases({ home, url, ...options }: DatabasesOptions): Databases {
  return url === undefined ? files(home) : schemas(home, url, options);
}

function files(home: string): Databases {
  const fileOf = (name: string): string => join(home, "deployments", name, "database.sqlite");
  const open = async <T>(file: string, shape: Shape<T>): Promise<OpenDatabase<T>> => {
    const db = await openSqlite(file, shape);
    return { db, commit: groupCommit(db) };
  };
  return {
    untilReachable: () => Promise.resolve(),
    openPlatform: () => open(join(home, "platform.sqlite"), platformShape),
    openDeployment: (name) => open(fileOf(name), deploymentShape),
    async dropDeployment(name) {
      for (const end of ["", "-wal", "-shm"]) await rm(`${fileOf(name)}${end}`, { force: true });
    },
    close: () => Promise.resolve(),
    async lock() {
      const folder = lockFolder(home);
      return async () => folder.release();
    },
    openLease: () => Promise.resolve(undefined),
  };
}

function schemas(
  home: string,
  url: string,
  { directUrl: direct = url, pooled, prefix, poolSize, shared, logger }: Omit<DatabasesOptions, "home" | "url">,
): Databases {
  const pool = createPool(url, { size: poolSize, name: prefix, idleMs: shared?.lengthMs, pooled });
  let quietUntil = 0;
  const onUnavailable = (cause: unknown): void => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + QUIET_MS;
    logger.warn("the database is away, requests wait for it", cause);
  };
  const platform = `${prefix}_platform`;
  // No name of a deployment has an underscore: the one called "platform" does not get the platform's own schema.
  const schemaOf = (name: string): string => `${prefix}_${name === "platform" ? "deployment_platform" : name}`;
  const open = <T>(schema: string, shape: Shape<T>): Promise<OpenDatabase<T>> =>
    openSchema(pool, direct, schema, shape, { onUnavailable, pooled });
  return {
    untilReachable: (onWait) => untilReachable(direct, onWait),
    openPlatform: () => open(platform, platformShape),
    openDeployment: (name) => open(schemaOf(name), deploymentShape),
    dropDeployment: (name) => dropSchema(direct, schemaOf(name)),
    close: () => pool.end(),
    async lock() {
      const folder = lockFolder(home);
      const schema = shared ? undefined : await lockSchema(direct, platform, (reason) => logger.error(reason));
      return async () => {
        await schema?.release();
        folder.release();
      };
    },
    async openLease() {
      if (shared) return await openLease({ url: direct, schema: platform, logger, ...shared });
      await requireNoLeases(direct, platform);
      return undefined;
    },
  };
}
