/** The first version of git that can take all settings from its environment and none from the machine. */
export const GIT_VERSION = [2, 32] as const;
/** The first version that can be given the addresses of a host. */
export const PINNING_GIT_VERSION = [2, 37] as const;

/** Parses the output of `git version`; undefined when it has no version. */
export function parseGitVersion(text: string): readonly [major: number, minor: number] | undefined {
  const [, major, minor] = /^git version (\d{1,4})\.(\d{1,4})/.exec(text) ?? [];
  return major === undefined || minor === undefined ? undefined : [Number(major), Number(minor)];
}

export function isOlder(version: readonly [number, number], than: readonly [number, number]): boolean {
  return version[0] === than[0] ? version[1] < than[1] : version[0] < than[0];
}
