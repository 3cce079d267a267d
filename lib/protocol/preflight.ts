/** Results of inspecting an application's files before anything is installed or run. */
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
  /** `error`: the application can't be deployed. `warning`: it can, but something is wrong. `note`: information. */
  level: z.enum(["error", "warning", "note"]),
  /** The step of a build in which the error would occur, if it is not `validating`. */
  step: z.literal("building").optional(),
  /** Path from the application's folder. */
  file: z.string().optional(),
  /** Line and column, both counted from 1. */
  line: z.int().optional(),
  column: z.int().optional(),
  /** The problem in one sentence. */
  message: z.string(),
  /** The remedy in one sentence. */
  fix: z.string().optional(),
  /** Folders of the source that could be deployed instead, as paths from its root; "" is the root itself. */
  folders: z.array(z.string()).optional(),
});
export type Finding = z.infer<typeof Finding>;

export const PackageManager = z.enum(["npm", "pnpm", "yarn", "bun"]);
export type PackageManager = z.infer<typeof PackageManager>;

/** Instructions for installing an application's packages. */
const PackagePlan = z.object({
  manager: PackageManager,
  /** Version in `packageManager` of package.json; absent: the newest version known to work. */
  version: z.string().optional(),
  /** Path of the lockfile from the source's root. Without one, installs are not reproducible. */
  lockfile: z.string().optional(),
  /** Folder where packages are installed, from the source's root; the root itself by default. */
  folder: z.string().optional(),
  /** Packages of a workspace that the application needs, as paths from `folder`; "" is `folder` itself. */
  members: z.array(z.string()).optional(),
  /** Packages whose build script generates the files that imports of them resolve to, in build order. */
  unbuilt: z.array(z.string()).optional(),
  /** Packages that are needed only to build those in `unbuilt`. */
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
  /** The file that names it: `.env.example` or `graphlib.json`. */
  from: z.string(),
  /** True if the deployment or the application has a value for it. */
  present: z.boolean(),
});
export type DetectedVariable = z.infer<typeof DetectedVariable>;

const PreflightReport = z.object({
  /** True if there is no finding of level `error`. */
  ok: z.boolean(),
  /** `graphlib.json` or `langgraph.json`. */
  config_file: z.string().nullable(),
  graphs: z.array(DetectedGraph),
  /** Null for an application without packages of its own. */
  packages: PackagePlan.nullable(),
  /** Major version of Node.js that will run it. */
  node: z.string(),
  variables: z.array(DetectedVariable),
  findings: z.array(Finding),
});
export type PreflightReport = z.infer<typeof PreflightReport>;

/** A report together with the inspected source. */
export const PreflightAnswer = PreflightReport.extend({
  commit: Commit.nullable(),
  /** The requested source. The URL of a repository's page is resolved into repository, ref and folder. */
  source: Source,
});
export type PreflightAnswer = z.infer<typeof PreflightAnswer>;
