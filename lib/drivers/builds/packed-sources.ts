import { basename, join } from "node:path";
import { StepFailure } from "../../engine/ports/builds.ts";
import { isObject } from "../../protocol/json.ts";
import { packedByLock, packedByManifest } from "../../rules/packages/packed-sources.ts";
import type { Fence } from "../fence/fence.ts";
import type { Manifests } from "./manifests.ts";
import type { SourceFiles } from "./source-files.ts";

/** Throws `StepFailure` for a package whose scripts yarn would run, or if nothing could tell or prevent that. */
export async function refusePackedSources(
  { root, base, texts, lockfile }: Manifests,
  files: SourceFiles,
  fence?: Fence,
): Promise<void> {
  if (lockfile === undefined && !fence) throw unknownFailure(join(base, "package.json"));
  const lock = lockfile === undefined ? undefined : await files.longText(join(root, lockfile));
  const locked = packedByLock(lock ?? "");
  if (locked) throw packedFailure(locked.name, { file: lockfile, line: locked.line });
  for (const [file, text] of texts) {
    if (basename(file) !== "package.json") continue;
    const manifest: unknown = JSON.parse(text);
    const named = isObject(manifest) ? packedByManifest(manifest) : undefined;
    if (named) throw packedFailure(named.name, { file });
  }
}

function packedFailure(name: string, place: { file?: string; line?: number }): StepFailure {
  return new StepFailure(`yarn would run scripts of ${name} to pack it from its source`, {
    ...place,
    fix: "Use a version from a registry, or allow install scripts in the deployment's settings (install_scripts)",
  });
}

function unknownFailure(file: string): StepFailure {
  return new StepFailure("yarn would run scripts of indirect dependencies from git, if there are any", {
    file,
    fix: "Commit yarn.lock, which lists them, or install bubblewrap on the server's machine",
  });
}
