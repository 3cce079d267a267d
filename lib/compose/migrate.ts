/** Migrates all databases, before servers of a new version start. Servers of earlier versions go on meanwhile. */
import packageJson from "../../package.json" with { type: "json" };
import { openHome } from "../drivers/home.ts";
import { readEnvironment } from "../env.ts";
import { databasesOf } from "./databases.ts";

/** The result of a migration of all databases. */
export interface Migrated {
  /** The version of Graphlib whose shape the databases have now. */
  version: string;
  /** Names of the deployments whose databases have it. */
  deployments: string[];
}

/** Migrates the databases of the settings in the environment. Throws when a server has files of SQLite open. */
export async function migrateAll(): Promise<Migrated> {
  const environment = readEnvironment();
  openHome(environment.GRAPHLIB_HOME);
  const databases = databasesOf(environment);
  // PostgreSQL migrates under a lock of its own, beside servers that use it.
  const release = environment.DATABASE_URL === undefined ? await databases.lock() : undefined;
  try {
    const { db } = await databases.openPlatform();
    const rows = await db.selectFrom("deployments").select("name").orderBy("name").execute();
    await db.destroy();
    for (const { name } of rows) await (await databases.openDeployment(name)).db.destroy();
    return { version: packageJson.version, deployments: rows.map(({ name }) => name) };
  } finally {
    await databases.close();
    await release?.();
  }
}
