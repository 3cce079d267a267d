/** Major, minor and patch. */
export type Version = readonly [major: number, minor: number, patch: number];

/** Parses `1.2.3`, `v1.2` or `1.2.3-rc.1`; returns undefined for other text. A pre-release counts as its release. */
export function parseVersion(text: string): Version | undefined {
  const parts = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:[-+].*)?$/.exec(text.trim());
  return parts ? [Number(parts[1]), Number(parts[2] ?? 0), Number(parts[3] ?? 0)] : undefined;
}

/** Compares two versions. The result is negative when `a` is older. */
export function compareVersions(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
