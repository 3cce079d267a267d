import { isObject } from "../../protocol/json.ts";
import type { NameChanges, RevisionChanges } from "../../protocol/revisions.ts";
import type { Commit, Source } from "../../protocol/sources.ts";

/** The inputs of a revision that can differ from those of another one. */
export interface RevisionInputs {
  /** The time at which each variable was set, by name. */
  variables: Record<string, string>;
  /** The id of its set of packages; null if it has none of its own, left out if it failed before they were known. */
  packages?: string | null;
  /** The digest of each setting of its configuration; left out when that was never read. */
  config?: Record<string, string>;
}

interface Made {
  number: number;
  source: Source;
  commit: Commit | null;
  inputs: RevisionInputs | null;
}

/** Returns digests of the settings by name, two levels deep: `graphs.agent`, `env`, `http.cors`. */
export function configDigests(config: object, digest: (text: string) => string): Record<string, string> {
  const entries = Object.entries(config).flatMap(([name, value]: [string, unknown]) => {
    if (!isObject(value)) return [[name, value] as const];
    return Object.entries(value).map(([part, inner]) => [`${name}.${part}`, inner] as const);
  });
  return Object.fromEntries(
    entries.filter(([, value]) => value !== undefined).map(([name, value]) => [name, digest(JSON.stringify(value))]),
  );
}

/** Returns the differences of the second revision; null where one of the two does not have the data. Total. */
export function changesBetween(before: Made, after: Made): RevisionChanges {
  const [was, is] = [before.inputs, after.inputs];
  const isOther =
    before.commit?.sha !== after.commit?.sha || after.commit?.dirty === true || before.commit?.dirty === true;
  return {
    since: before.number,
    commit: isOther ? { from: before.commit, to: after.commit } : null,
    source: JSON.stringify(before.source) !== JSON.stringify(after.source),
    config: was?.config && is?.config ? namesChanged(was.config, is.config) : null,
    variables: was && is && namesChanged(was.variables, is.variables),
    packages: was?.packages === undefined || is?.packages === undefined ? null : was.packages !== is.packages,
  };
}

function namesChanged(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): NameChanges {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return {
    added: [...is.keys()].filter((name) => !was.has(name)),
    removed: [...was.keys()].filter((name) => !is.has(name)),
    changed: [...is].filter(([name, value]) => was.has(name) && was.get(name) !== value).map(([name]) => name),
  };
}
