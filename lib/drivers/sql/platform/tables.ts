/** The tables of the platform's database. JSON columns hold text; times are ISO 8601 text unless they say otherwise. */
import type { Kysely } from "kysely";
import type { StoredDeployment } from "../../../engine/ports/builds.ts";
import type { StoredSession } from "../../../engine/ports/keys.ts";
import type { RevisionState, RevisionTrigger } from "../../../protocol/revisions.ts";

export interface DeploymentsTable {
  deployment_id: string;
  name: string;
  source: string;
  settings: string;
  wanted: StoredDeployment["wanted"];
  live: number | null;
  /** The number of the next revision. */
  next_revision: number;
  /** Sealed credentials for reading a private source. */
  credentials: string | null;
  /** Sealed secret that signs pushes. */
  hook: string | null;
  created_at: string;
  updated_at: string;
}

export interface RevisionsTable {
  deployment_id: string;
  number: number;
  state: RevisionState;
  /** 1 while it is being built, which holds for at most one revision of a deployment. */
  building: number;
  trigger: RevisionTrigger;
  source: string;
  commit: string | null;
  build_of: number | null;
  report: string | null;
  shapes: string | null;
  inputs: string | null;
  steps: string;
  problem: string | null;
  token: number;
  created_at: string;
  live_at: string | null;
  ended_at: string | null;
}

/** One row for each batch: lines are written many at a time and read in order. */
export interface LogLinesTable {
  log: string;
  first_line: number;
  last_line: number;
  /** JSON texts, one per line. */
  lines: string;
  /** Time of the write, in ms since the epoch. */
  written: number;
}

export interface VariablesTable {
  deployment_id: string;
  name: string;
  /** Sealed value. */
  value: string;
  secret: number;
  updated_at: string;
}

/** Pushes of the last day that made a revision. */
export interface PushesTable {
  deployment_id: string;
  delivery: string;
  sha: string;
  revision: number;
  received_at: string;
}

/** Sessions of the console; times are ms since the epoch. */
export type SessionsTable = StoredSession;

export interface PlatformTables {
  deployments: DeploymentsTable;
  revisions: RevisionsTable;
  log_lines: LogLinesTable;
  variables: VariablesTable;
  pushes: PushesTable;
  sessions: SessionsTable;
}

/** The platform's own database, or a transaction in it. */
export type PlatformDb = Kysely<PlatformTables>;
