/** The tables of the platform's database. JSON columns hold text; times are ISO 8601 text unless they say otherwise. */
import type { Kysely } from "kysely";
import type { StoredDeployment, StoredRevision } from "../../../engine/ports/builds.ts";
import type { StoredSession } from "../../../engine/ports/keys.ts";
import type { StoredVariable } from "../../../engine/ports/variables.ts";
import type { JsonRow } from "../json-column.ts";

export interface DeploymentsTable extends JsonRow<StoredDeployment, "source" | "settings"> {
  /** The number of the next revision. */
  next_revision: number;
  /** Sealed credentials for reading a private source. */
  credentials: string | null;
  /** Sealed secret that signs pushes. */
  hook: string | null;
}

type NullableJson = "commit" | "report" | "shapes" | "inputs" | "problem";

export interface RevisionsTable
  extends
    Omit<JsonRow<StoredRevision, "source" | "steps">, NullableJson | "cancelling">,
    Record<NullableJson, string | null> {
  /** 1 while it is being built, which holds for at most one revision of a deployment. */
  building: number;
  cancelling: number;
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

export interface VariablesTable extends Omit<StoredVariable, "secret"> {
  deployment_id: string;
  secret: number;
}

/** Pushes of the last day that made a revision. */
export interface PushesTable {
  deployment_id: string;
  delivery: string;
  sha: string;
  revision: number;
  received_at: string;
}

/** One row for each server that shares this database, and for some that did lately. */
export interface ExecutorsTable {
  executor_id: string;
  /** The name of its machine, for messages. */
  host: string;
  /** Its roles, divided by commas. */
  roles: string;
  /** Prints of its secrets, divided by commas. */
  secrets: string;
  /** When its lease is over, by the database's clock, in ms since the epoch. */
  expires: number;
  /** The reports of the server on its deployments, as JSON. */
  deployments: string;
}

/** Files that servers which share this database hand to each other. */
export interface BlobsTable {
  sha256: string;
  bytes: number;
  /** When it was stored last. */
  stored_at: string;
}

/** The names of blobs. Several of them may mean the same blob; a blob that has none is removed. */
export interface BlobNamesTable {
  name: string;
  sha256: string;
  /** JSON. */
  details: string;
  used_at: string;
}

/** Contents of blobs, where the database holds them. */
export interface BlobPiecesTable {
  sha256: string;
  position: number;
  bytes: Uint8Array;
}

/** One row, which was made with the database. */
export interface ClusterTable {
  cluster_id: string;
}

export interface PlatformTables {
  cluster: ClusterTable;
  executors: ExecutorsTable;
  blobs: BlobsTable;
  blob_names: BlobNamesTable;
  blob_pieces: BlobPiecesTable;
  deployments: DeploymentsTable;
  revisions: RevisionsTable;
  log_lines: LogLinesTable;
  variables: VariablesTable;
  pushes: PushesTable;
  /** Sessions of the console; times are ms since the epoch. */
  sessions: StoredSession;
}

/** The platform's own database, or a transaction in it. */
export type PlatformDb = Kysely<PlatformTables>;
