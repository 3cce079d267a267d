/** The port of what a build does to files. */
import type { AppConfig } from "../../protocol/config.ts";
import type { Source } from "../../protocol/sources.ts";
import type { Compile, FetchedSource, Install, InstalledPackages, Preflight, Sources, StepContext } from "./builds.ts";

/** Identifies the files of a build: the deployment with its name, and the revision that was built. */
export interface BuildId {
  deployment_id: string;
  name: string;
  number: number;
}

/** A build whose files are to be served. */
export interface BuiltSource extends BuildId {
  source: Source;
  packages: InstalledPackages | null;
}

/** Functions that a build calls. Implemented in lib/compose/builds.ts. */
export interface BuildTools {
  readonly sources: Sources;
  readonly preflight: Preflight;
  /** Reads the configuration in a folder, of a source that was fetched to `root`. Throws `StepFailure`. */
  config(files: { folder: string; root?: string }): Promise<AppConfig>;
  readonly install: Install;
  readonly compile: Compile;
  /** Returns a path for a revision's files. The folder does not exist yet. */
  newFolder(build: BuildId): Promise<string>;
  /** Keeps the files of a build for the other servers; a server that has its database for itself does nothing. */
  share(build: BuildId, files: FetchedSource, packages: InstalledPackages | null, context: StepContext): Promise<void>;
  /** Returns the files of a revision that was built, perhaps by another server. Throws `StepFailure` when they are gone. */
  filesOf(build: BuiltSource, signal: AbortSignal): Promise<FetchedSource>;
  /** Removes a revision's files. */
  remove(build: BuildId): Promise<void>;
  /** Removes all files of a deployment, its uploads too. */
  removeAll(deployment: Pick<BuildId, "deployment_id" | "name">): Promise<void>;
  /** Removes leftovers and what was long unused; `inUse` names the uploads that are needed. */
  sweep(inUse: ReadonlySet<string>): Promise<void>;
}
