/** What a look at an application's files tells before anything is installed or run. */
import * as z from "zod";
import { Commit, Credentials, Source } from "./sources.ts";

export const PreflightRequest = z.object({
  source: Source,
  credentials: Credentials.optional(),
  /** Names of variables that the deployment will have. */
  variables: z.array(z.string().max(256)).max(1000).default([]),
});
export type PreflightRequest = z.infer<typeof PreflightRequest>;

const Finding = z.object({
  /** `error`: it can't be deployed. `warning`: it can, but something is wrong. `note`: good to know. */
  level: z.enum(["error", "warning", "note"]),
  /** The step of a build that an error belongs to, where that is not the one of reading the configuration. */
  step: z.literal("building").optional(),
  /** Path from the application's folder. */
  file: z.string().optional(),
  /** From 1. */
  line: z.int().optional(),
  column: z.int().optional(),
  /** What is wrong, in a sentence. */
  message: z.string(),
  /** What to do, in a sentence. */
  fix: z.string().optional(),
  /** Folders of the source that would do, as paths from its root; "" is the root itself. */
  folders: z.array(z.string()).optional(),
});
export type Finding = z.infer<typeof Finding>;

export const PackageManager = z.enum(["npm", "pnpm", "yarn", "bun"]);
export type PackageManager = z.infer<typeof PackageManager>;

/** How an application's packages are installed. */
const PackagePlan = z.object({
  manager: PackageManager,
  /** What `packageManager` of package.json asks for; the newest known to work when left out. */
  version: z.string().optional(),
  /** Path of the lockfile from the source's root; without one, installs do not repeat. */
  lockfile: z.string().optional(),
  /** Folder where packages are installed, from the source's root; that root when left out. */
  folder: z.string().optional(),
  /** The packages of a workspace that the application needs, by their paths from `folder`, whose own is empty. */
  members: z.array(z.string()).optional(),
  /** Packages whose own script makes what an import of them means, in the order in which they are to be built. */
  unbuilt: z.array(z.string()).optional(),
  /** Packages that are needed only to build those. */
  builders: z.array(z.string()).optional(),
});
export type PackagePlan = z.infer<typeof PackagePlan>;

const DetectedGraph = z.object({
  graph: z.string(),
  file: z.string(),
  export: z.string(),
  description: z.string().optional(),
});
export type DetectedGraph = z.infer<typeof DetectedGraph>;

const DetectedVariable = z.object({
  name: z.string(),
  /** Where it is named: `.env.example`, `graphlib.json`. */
  from: z.string(),
  /** The deployment has a value, or the application brings one. */
  present: z.boolean(),
});
export type DetectedVariable = z.infer<typeof DetectedVariable>;

const PreflightReport = z.object({
  /** Whether nothing found is an error. */
  ok: z.boolean(),
  /** `graphlib.json` or `langgraph.json`. */
  config_file: z.string().nullable(),
  graphs: z.array(DetectedGraph),
  /** Null for an application without packages of its own. */
  packages: PackagePlan.nullable(),
  /** Major version of Node.js that will serve it. */
  node: z.string(),
  variables: z.array(DetectedVariable),
  findings: z.array(Finding),
});
export type PreflightReport = z.infer<typeof PreflightReport>;

/** A report on a source that was looked at. */
export const PreflightAnswer = PreflightReport.extend({
  commit: Commit.nullable(),
  /** The source that was asked for. The address of a repository's page is told as repository, ref and folder. */
  source: Source,
});
export type PreflightAnswer = z.infer<typeof PreflightAnswer>;
