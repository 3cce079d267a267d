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

/** What made it. */
export const RevisionTrigger = z.enum(["create", "manual", "push", "rollback", "environment"]);
export type RevisionTrigger = z.infer<typeof RevisionTrigger>;

/** Why a step failed, for whoever has to mend it. */
export const RevisionProblem = z.object({
  step: z.enum([...buildSteps, "live"]),
  message: z.string(),
  file: z.string().optional(),
  line: z.int().optional(),
  /** From 1. */
  column: z.int().optional(),
  /** What to do about it. */
  fix: z.string().optional(),
});
export type RevisionProblem = z.infer<typeof RevisionProblem>;

/** A step that began. Times are ISO 8601. */
const StepTimes = z.object({
  step: Step,
  started_at: z.string(),
  /** Null while it goes on. */
  ended_at: z.string().nullable(),
  /** In a few words: `npm, lockfile`, `packages of revision 6`. */
  note: z.string().optional(),
});
export type StepTimes = z.infer<typeof StepTimes>;

/** A revision as the API shows it. */
export const Revision = z.object({
  deployment: z.string(),
  /** From 1, by deployment. */
  number: z.int(),
  state: RevisionState,
  trigger: RevisionTrigger,
  source: Source,
  commit: Commit.nullable(),
  /** Number of the revision whose build this one serves; its own when it was built for it. */
  build_of: z.int().nullable(),
  graphs: z.array(z.string()),
  steps: z.array(StepTimes),
  problem: RevisionProblem.nullable(),
  /** Builds that come first, while it is queued. */
  ahead: z.int().optional(),
  created_at: z.string(),
  live_at: z.string().nullable(),
  /** When it failed, or was replaced, cancelled or skipped. */
  ended_at: z.string().nullable(),
});
export type Revision = z.infer<typeof Revision>;

const NameChanges = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.string()),
});
export type NameChanges = z.infer<typeof NameChanges>;

/** What is different in a revision since another one; null where one of the two does not say. */
export const RevisionChanges = z.object({
  /** Number of the other one. */
  since: z.int(),
  /** Null when it is the same. */
  commit: z.object({ from: Commit.nullable(), to: Commit.nullable() }).nullable(),
  /** Where the code comes from is another place. */
  source: z.boolean(),
  /** Settings of the configuration, as `graphs.agent`. */
  config: NameChanges.nullable(),
  /** Names of variables. */
  variables: NameChanges.nullable(),
  /** The lockfile, or what stands for it. */
  packages: z.boolean().nullable(),
});
export type RevisionChanges = z.infer<typeof RevisionChanges>;

/** One line of a build log or a server log. */
export const LogLine = z.object({
  /** From 0, without gaps. */
  id: z.int(),
  /** ISO 8601. */
  at: z.string(),
  /** Of a build; of a server log, nothing. */
  step: Step.optional(),
  /** `out` and `err`: a program's; `us`: the platform's own words. */
  stream: z.enum(["out", "err", "us"]),
  /** Without line break; ANSI colours are kept. */
  text: z.string(),
});
export type LogLine = z.infer<typeof LogLine>;

export type NewLine = Omit<LogLine, "id" | "at">;
