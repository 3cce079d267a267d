/** Requests and answers of the control plane: deployments and their revisions. */
import * as z from "zod";
import { nullish } from "./fields.ts";
import { isReserved, LONGEST_NAME, NAME, NAME_RULE, NAME_TAKEN } from "./names.ts";
import { PackageManager } from "./preflight.ts";
import { Revision } from "./revisions.ts";
import { Credentials, Source } from "./sources.ts";
import { EnvironmentPatch } from "./variables.ts";

/** Part of an address: `<name>.agents.<host>`. */
const DeploymentName = z
  .string()
  .min(1)
  .max(LONGEST_NAME)
  .regex(NAME, NAME_RULE)
  .refine((name) => !isReserved(name), NAME_TAKEN);

const Settings = z.object({
  /** Let packages run their scripts while they are installed. */
  install_scripts: z.boolean(),
  /** Let the code start processes. */
  child_processes: z.boolean(),
  /** Let the code load native addons. */
  addons: z.boolean(),
  /** Heap of the process, in MB. */
  memory_mb: z.int().min(64).max(65_536),
  /** Files of the process, in MB: beyond it the process ends and starts again without them. */
  scratch_mb: z.int().min(16).max(1_048_576),
  /** Log of what the code prints, in MB: the oldest lines go. */
  log_mb: z.int().min(1).max(4_096),
  /** Minutes without a request after which the process ends until the next one; null for never. */
  sleep_after_minutes: z.number().positive().max(10_080).nullable(),
  /** A push to the source makes a revision. */
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
  /** Null removes them. */
  credentials: Credentials.nullable().optional(),
  environment: EnvironmentPatch.optional(),
  settings: SettingsPatch.optional(),
});
export type DeploymentPatch = z.infer<typeof DeploymentPatch>;

/** A new revision: of the deployment's source as it is now. */
export const RevisionCreate = z.object({
  /** Of a git source, in place of the deployment's; it stays so. */
  ref: nullish(z.string().max(255)),
  /** Of an archive. */
  upload_id: nullish(z.uuid()),
});
export type RevisionCreate = z.infer<typeof RevisionCreate>;

export const Rollback = z.object({
  /** Number of the revision to go back to. */
  revision: z.int().min(1),
  /** Although saved checkpoints may not be readable by it. */
  force: z.boolean().default(false),
});
export type Rollback = z.infer<typeof Rollback>;

export const RevisionList = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  /** Revisions with a lower number than this. */
  before: z.coerce.number().int().min(1).optional(),
});
export type RevisionList = z.infer<typeof RevisionList>;

/** A deployment as the control plane shows it. */
export const DeploymentRecord = z.object({
  name: z.string(),
  status: z.enum(["provisioning", "ready", "updating", "degraded", "failed", "stopped", "deleting"]),
  source: Source,
  settings: Settings,
  /** Credentials for the source are stored. */
  has_credentials: z.boolean(),
  /** Pushes that are signed deploy it. */
  has_hook: z.boolean(),
  /** Number of the revision that serves. */
  live: z.int().nullable(),
  /** The newest, whatever became of it. */
  newest: Revision.nullable(),
  /** Base of its API. */
  api_url: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type DeploymentRecord = z.infer<typeof DeploymentRecord>;

/** What is followed beside the states of all deployments. */
export const EventsQuery = z
  .object({
    deployment: z.string().max(LONGEST_NAME).optional(),
    /** A revision of it. */
    revision: z.coerce.number().int().min(1).optional(),
    /** Its lines: of this revision's build, or what the code prints. */
    log: z.enum(["build", "server"]).optional(),
    /** Lines after the one with this id; `-1` for all. The newest ones when left out. */
    after: z.coerce.number().int().min(-1).optional(),
    /** Whenever runs of its threads have begun or ended. */
    threads: z.enum(["true", "false"]).optional(),
  })
  .refine(
    ({ deployment, revision, log, threads }) => deployment !== undefined || (!revision && !log && !threads),
    "deployment is missing",
  )
  .refine(({ revision, log }) => log !== "build" || revision !== undefined, "revision is missing: whose build log?");
export type EventsQuery = z.infer<typeof EventsQuery>;

export const LogQuery = z.object({
  /** Lines after the one with this id; `-1` for all. The newest ones when left out. */
  after: z.coerce.number().int().min(-1).optional(),
  limit: z.coerce.number().int().min(1).max(5000).default(500),
});
export type LogQuery = z.infer<typeof LogQuery>;
