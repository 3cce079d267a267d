/** A revision: one immutable attempt to make a deployment live. */
import * as z from "zod";
import { buildSteps } from "./build-steps.ts";
import { Commit, Source } from "./sources.ts";

const Step = z.enum(buildSteps);

export const RevisionState = z.enum([
  "queued",
  ...buildSteps,
  "live",
  "crashed",
  "stopped",
  "replaced",
  "source_failed",
  "config_failed",
  "install_failed",
  "build_failed",
  "start_failed",
  "health_failed",
  "failed",
  "cancelled",
  "skipped",
]);
export type RevisionState = z.infer<typeof RevisionState>;

/** The cause of a revision. */
export const RevisionTrigger = z.enum(["create", "manual", "push", "rollback", "environment"]);
export type RevisionTrigger = z.infer<typeof RevisionTrigger>;

/** The reason why a step failed, for the developer who has to fix it. */
export const RevisionProblem = z.object({
  step: z.enum([...buildSteps, "live"]),
  message: z.string(),
  file: z.string().optional(),
  line: z.int().optional(),
  /** Column, counted from 1. */
  column: z.int().optional(),
  /** The remedy. */
  fix: z.string().optional(),
});
export type RevisionProblem = z.infer<typeof RevisionProblem>;

/** A step that has begun. Times are in ISO 8601. */
const StepTimes = z.object({
  step: Step,
  started_at: z.string(),
  /** Time of its end; null while it is in progress. */
  ended_at: z.string().nullable(),
  /** A few words such as `npm, lockfile` or `packages of revision 6`. */
  note: z.string().optional(),
});
export type StepTimes = z.infer<typeof StepTimes>;

/** A revision as the API returns it. */
export const Revision = z.object({
  deployment: z.string(),
  /** Number within the deployment, from 1. */
  number: z.int(),
  state: RevisionState,
  trigger: RevisionTrigger,
  source: Source,
  commit: Commit.nullable(),
  /** Number of the revision whose build this one serves; its own number if it has its own build. */
  build_of: z.int().nullable(),
  graphs: z.array(z.string()),
  steps: z.array(StepTimes),
  problem: RevisionProblem.nullable(),
  /** The number of builds ahead of it in the queue; absent when it is not queued. */
  ahead: z.int().optional(),
  created_at: z.string(),
  live_at: z.string().nullable(),
  /** The time when it failed, or was replaced, cancelled or skipped. */
  ended_at: z.string().nullable(),
});
export type Revision = z.infer<typeof Revision>;

const NameChanges = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.string()),
});
export type NameChanges = z.infer<typeof NameChanges>;

/** Differences between a revision and an earlier one. A member is null if one of the two lacks the data. */
export const RevisionChanges = z.object({
  /** Number of the earlier revision. */
  since: z.int(),
  /** Commits of both revisions; null when they are the same. */
  commit: z.object({ from: Commit.nullable(), to: Commit.nullable() }).nullable(),
  /** True if the source of the code differs. */
  source: z.boolean(),
  /** Changed settings of the configuration, such as `graphs.agent`. */
  config: NameChanges.nullable(),
  /** Names of changed variables. */
  variables: NameChanges.nullable(),
  /** True if the lockfile, or its substitute, differs. */
  packages: z.boolean().nullable(),
});
export type RevisionChanges = z.infer<typeof RevisionChanges>;

/** One line of a build log or a server log. */
export const LogLine = z.object({
  /** Number of the line, from 0 without gaps. */
  id: z.int(),
  /** Time in ISO 8601. */
  at: z.string(),
  /** Step of the build; absent in a server log. */
  step: Step.optional(),
  /** Origin of the line: stdout or stderr of a program, or the platform itself (`us`). */
  stream: z.enum(["out", "err", "us"]),
  /** Text without a line break. ANSI colours are kept. */
  text: z.string(),
});
export type LogLine = z.infer<typeof LogLine>;

export type NewLine = Omit<LogLine, "id" | "at">;
