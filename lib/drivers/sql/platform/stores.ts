import type { ControlPlane } from "../../../engine/ports/control.ts";
import type { GroupCommit } from "../group-commit.ts";
import { sqlDeployments } from "./deployments.ts";
import { type LineOptions, SqlLines } from "./lines.ts";
import { sqlRevisions } from "./revisions.ts";
import { sqlSessions } from "./sessions.ts";
import type { PlatformDb, PlatformTables } from "./tables.ts";
import { sqlVariables } from "./variables.ts";

export type PlatformStores = Pick<ControlPlane, "deployments" | "revisions" | "variables" | "lines" | "sessions">;

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
