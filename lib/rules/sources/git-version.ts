/** The first git that takes all of its settings from its environment, and none of the machine's. */
export const GIT_VERSION = [2, 32] as const;
/** The first one that can be told at which addresses a host is. */
export const PINNING_GIT_VERSION = [2, 37] as const;

/** By what `git version` prints; undefined when that is no version. */
export function parseGitVersion(text: string): readonly [major: number, minor: number] | undefined {
  const [, major, minor] = /^git version (\d{1,4})\.(\d{1,4})/.exec(text) ?? [];
  return major === undefined || minor === undefined ? undefined : [Number(major), Number(minor)];
}

export function isOlder(version: readonly [number, number], than: readonly [number, number]): boolean {
  return version[0] === than[0] ? version[1] < than[1] : version[0] < than[0];
}
