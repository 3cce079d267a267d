import type { BuildStep } from "../../protocol/build-steps.ts";
import type { Revision, RevisionProblem, RevisionState, RevisionTrigger } from "../../protocol/revisions.ts";
import type { Source } from "../../protocol/sources.ts";
import { isBuilding } from "./phases.ts";

/** The title of each step, and the words for it while it is running. */
export const stepWords: Record<BuildStep, { title: string; doing: string }> = {
  cloning: { title: "Fetch", doing: "Fetching the source" },
  validating: { title: "Validate", doing: "Reading the configuration" },
  installing: { title: "Install", doing: "Installing packages" },
  building: { title: "Compile", doing: "Compiling" },
  starting: { title: "Start", doing: "Starting" },
  checking: { title: "Check", doing: "Checking" },
};

const stateWords: Record<Exclude<RevisionState, BuildStep>, string> = {
  queued: "Queued",
  live: "Live",
  crashed: "Crashed",
  stopped: "Stopped",
  replaced: "Replaced",
  source_failed: "Fetch failed",
  config_failed: "Configuration failed",
  install_failed: "Install failed",
  build_failed: "Code does not compile",
  start_failed: "Start failed",
  health_failed: "Check failed",
  failed: "Failed",
  cancelled: "Cancelled",
  skipped: "Skipped",
};

export const triggerWords: Record<RevisionTrigger, string> = {
  create: "first deployment",
  manual: "deployed by hand",
  push: "started by a push",
  rollback: "rollback",
  environment: "change of variables",
};

export function stateWord({ state, ahead }: Pick<Revision, "state" | "ahead">): string {
  if (isBuilding(state)) return stepWords[state].doing;
  if (state === "queued" && ahead !== undefined && ahead > 0) return `Queued, ${ahead} ahead`;
  return stateWords[state];
}

/** The problem of a build that fails, but not because of its source. */
export const platformFailure = {
  message: "The platform itself failed; the server's log says why",
  fix: "Deploy again.",
};

/** Returns the title of a revision's problem. */
export function problemTitle({ step }: Pick<RevisionProblem, "step">): string {
  if (step === "live") return "It stopped serving";
  return step === "building" ? stateWords.build_failed : `${stepWords[step].title} failed`;
}

/** Returns the source in words: `github.com/acme/bot@main`, the name of a folder or of an archive. */
export function sourceWords(source: Source): string {
  if (source.type === "git") {
    const address =
      source.url.replace(/^https?:\/\/|\/?(?:\.git)?\/?$/g, "") + (source.ref === undefined ? "" : `@${source.ref}`);
    return source.folder === undefined || source.folder === "" ? address : `${address}/${source.folder}`;
  }
  if (source.type === "folder") return source.path.split(/[\\/]/).findLast((part) => part !== "") ?? source.path;
  return source.file_name ?? "an archive";
}

/** Formats a location as `graphlib.json:3:12`; undefined when there is no file. */
export function placeWords({
  file,
  line,
  column,
}: Pick<RevisionProblem, "file" | "line" | "column">): string | undefined {
  return file === undefined ? undefined : [file, line, line && column].filter((part) => part !== undefined).join(":");
}
