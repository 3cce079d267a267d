import type { Kysely } from "kysely";
import type { DeploymentStore, LineLog, RevisionStore } from "../../../engine/ports/builds.ts";
import type { VariableStore } from "../../../engine/ports/variables.ts";
import type { SessionStore } from "../../../engine/ports/keys.ts";
import type { Commit } from "../group-commit.ts";
import { sqlDeployments } from "./deployments.ts";
import { type LineOptions, SqlLines } from "./lines.ts";
import { sqlRevisions } from "./revisions.ts";
import { sqlSessions } from "./sessions.ts";
import type { PlatformTables } from "./tables.ts";
import { sqlVariables } from "./variables.ts";

export interface PlatformStores {
  deployments: DeploymentStore;
  revisions: RevisionStore;
  variables: VariableStore;
  lines: LineLog;
  sessions: SessionStore;
}

/** What the platform keeps in its own database. */
export function platformStores(
  db: Kysely<PlatformTables>,
  commit: Commit<PlatformTables>,
  options: LineOptions,
): PlatformStores {
  return {
    deployments: sqlDeployments(db, commit),
    revisions: sqlRevisions(db, commit),
    variables: sqlVariables(db, commit),
    sessions: sqlSessions(db, commit),
    lines: new SqlLines(db, commit, options),
  };
}
