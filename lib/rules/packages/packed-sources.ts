/**
 * Finds packages that yarn 2 and later packs from the source of a repository. To do so it runs scripts of that
 * repository even when scripts are disabled, and no setting forbids that.
 */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { linesOf } from "../text/lines.ts";

/** References for which no code runs. The package that a patch applies to is itself in the lockfile, too. */
const PLAIN = /^(?:npm|workspace|file|link|portal|patch|catalog|virtual|builtin):/;
const TARBALL = /^https?:\/\/[^\s#]+\.(?:tgz|tar\.gz)(?:[?#:]|$)/;
/** A version, a range of versions or a tag. */
const RANGE = /^[\w.^~<>=|*+ -]*$/;
const KINDS = ["dependencies", "optionalDependencies", "devDependencies", "resolutions"];

function isPlain(reference: string): boolean {
  return PLAIN.test(reference) || RANGE.test(reference) || (TARBALL.test(reference) && !reference.includes("#commit="));
}

export interface PackedSource {
  name: string;
  /** The line in its file, counted from 1. */
  line?: number;
}

/** Finds the first such package of a yarn.lock. Total. */
export function packedByLock(text: string): PackedSource | undefined {
  let number = 0;
  for (const { line } of linesOf(text)) {
    number++;
    if (!line.startsWith('  resolution: "')) continue;
    const resolution = line.slice('  resolution: "'.length, line.lastIndexOf('"'));
    // A scoped name begins with "@".
    const at = resolution.indexOf("@", 1);
    if (at < 0 || !isPlain(resolution.slice(at + 1)))
      return { name: at < 0 ? resolution : resolution.slice(0, at), line: number };
  }
  return undefined;
}

/** Finds the first such dependency that a package.json lists itself. Total. */
export function packedByManifest(manifest: JsonObject): PackedSource | undefined {
  for (const kind of KINDS) {
    const packages = manifest[kind];
    for (const [name, range] of Object.entries(isObject(packages) ? packages : {}))
      if (typeof range === "string" && !isPlain(range)) return { name };
  }
  return undefined;
}
