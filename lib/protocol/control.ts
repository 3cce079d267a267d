/** Requests and responses of the control plane: deployments and their revisions. */
import * as z from "zod";
import { DeploymentServer } from "./deployments.ts";
import { nullish } from "./fields.ts";
import { MOST_WORKERS } from "./most-workers.ts";
import { isReserved, LONGEST_NAME, NAME, NAME_RULE, NAME_TAKEN } from "./names.ts";
import { PackageManager } from "./preflight.ts";
import { Revision } from "./revisions.ts";
import { Credentials, Source } from "./sources.ts";
import { EnvironmentPatch } from "./variables.ts";

/** Schema of a deployment's name, which is part of an address: `<name>.agents.<host>`. */
const DeploymentName = z
  .string()
  .min(1)
  .max(LONGEST_NAME)
  .regex(NAME, NAME_RULE)
  .refine((name) => !isReserved(name), NAME_TAKEN);

const Settings = z.object({
  /** True if packages may run scripts during installation. */
  install_scripts: z.boolean(),
  /** True if the code may start processes. */
  child_processes: z.boolean(),
  /** True if the code may load native addons. */
  addons: z.boolean(),
  /** Number of processes that execute the runs. Runs of one thread go to the same process while it is ready. */
  workers: z.int().min(1).max(MOST_WORKERS),
  /** Heap limit of each process, in MB. */
  memory_mb: z.int().min(64).max(65_536),
  /** Limit of the files of all processes, in MB. Beyond it they are restarted without them. */
  scratch_mb: z.int().min(16).max(1_048_576),
  /** Limit of the code's log, in MB. The oldest lines are deleted. */
  log_mb: z.int().min(1).max(4_096),
  /** Minutes without a request after which the processes are stopped until the next one; null for never. */
  sleep_after_minutes: z.number().positive().max(10_080).nullable(),
  /** True if a push to the source creates a revision. */
  auto_deploy: z.boolean(),
  package_manager: PackageManager.nullable(),
});

export const SettingsPatch = Settings.partial();
export type SettingsPatch = z.infer<typeof SettingsPatch>;

export const DeploymentCreate = z.object({
  name: DeploymentName,
  source: Source,
  credentials: nullish(Credentials),
  environment: EnvironmentPatch.optional(),
  settings: SettingsPatch.optional(),
});
export type DeploymentCreate = z.infer<typeof DeploymentCreate>;

export const DeploymentPatch = z.object({
  source: Source.optional(),
  /** New credentials; null removes the stored ones. */
  credentials: Credentials.nullable().optional(),
  environment: EnvironmentPatch.optional(),
  settings: SettingsPatch.optional(),
});
export type DeploymentPatch = z.infer<typeof DeploymentPatch>;

/** Request for a new revision of the deployment's current source. */
export const RevisionCreate = z.object({
  /** New ref of a git source; the deployment keeps it. */
  ref: nullish(z.string().max(255)),
  /** Id of a newly uploaded archive. */
  upload_id: nullish(z.uuid()),
});
export type RevisionCreate = z.infer<typeof RevisionCreate>;

export const Rollback = z.object({
  /** Number of the revision to restore. */
  revision: z.int().min(1),
  /** True to roll back although the revision may be unable to read saved checkpoints. */
  force: z.boolean().default(false),
});
export type Rollback = z.infer<typeof Rollback>;

export const RevisionList = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  /** Exclusive upper bound of the numbers. */
  before: z.coerce.number().int().min(1).optional(),
});
export type RevisionList = z.infer<typeof RevisionList>;

/** A deployment as the control plane returns it. */
export const DeploymentRecord = z.object({
  name: z.string(),
  status: z.enum(["provisioning", "ready", "updating", "degraded", "failed", "stopped", "deleting"]),
  source: Source,
  settings: Settings,
  /** True if credentials for the source are stored. */
  has_credentials: z.boolean(),
  /** True if signed pushes deploy it. */
  has_hook: z.boolean(),
  /** Number of the revision that serves. */
  live: z.int().nullable(),
  /** The newest revision in whatever state. */
  newest: Revision.nullable(),
  /** The servers that share it, with the report of each; empty if one server has it for itself. */
  servers: z.array(DeploymentServer),
  /** Base URL of its API. */
  api_url: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type DeploymentRecord = z.infer<typeof DeploymentRecord>;

/** The runs of all deployments, for programs that start and stop servers. */
export const Queue = z.object({
  /** Runs that are due and wait for a server. */
  pending: z.int(),
  running: z.int(),
  /** How long the first of them has waited; null if none waits. */
  oldest_pending_seconds: z.int().nullable(),
});
export type Queue = z.infer<typeof Queue>;

/** Events to stream in addition to the states of all deployments. */
export const EventsQuery = z
  .object({
    deployment: z.string().max(LONGEST_NAME).optional(),
    /** Number of a revision of the deployment. */
    revision: z.coerce.number().int().min(1).optional(),
    /** Log to stream: that of the revision's build, or the output of the code. */
    log: z.enum(["build", "server"]).optional(),
    /** Id of the line after which to start; `-1` for all lines. Absent: only the newest lines. */
    after: z.coerce.number().int().min(-1).optional(),
    /** True to send an event whenever runs of its threads begin or end. */
    threads: z.enum(["true", "false"]).optional(),
  })
  .refine(
    ({ deployment, revision, log, threads }) => deployment !== undefined || (!revision && !log && !threads),
    "deployment is missing",
  )
  .refine(({ revision, log }) => log !== "build" || revision !== undefined, "revision is missing: whose build log?");
export type EventsQuery = z.infer<typeof EventsQuery>;

export const LogQuery = z.object({
  /** Id of the line after which to start; `-1` for all lines. Absent: only the newest lines. */
  after: z.coerce.number().int().min(-1).optional(),
  limit: z.coerce.number().int().min(1).max(5000).default(500),
});
export type LogQuery = z.infer<typeof LogQuery>;
