import type { DeploymentStore, LineLog, RevisionStore } from "../../../engine/ports/builds.ts";
import type { VariableStore } from "../../../engine/ports/variables.ts";
import type { SessionStore } from "../../../engine/ports/keys.ts";
import type { GroupCommit } from "../group-commit.ts";
import { sqlDeployments } from "./deployments.ts";
import { type LineOptions, SqlLines } from "./lines.ts";
import { sqlRevisions } from "./revisions.ts";
import { sqlSessions } from "./sessions.ts";
import type { PlatformDb, PlatformTables } from "./tables.ts";
import { sqlVariables } from "./variables.ts";

export interface PlatformStores {
  deployments: DeploymentStore;
  revisions: RevisionStore;
  variables: VariableStore;
  lines: LineLog;
  sessions: SessionStore;
}

/** Returns the stores of the platform, all in its own database. */
export function platformStores(
  db: PlatformDb,
  commit: GroupCommit<PlatformTables>,
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
