/** Major, minor and patch. */
export type Version = readonly [major: number, minor: number, patch: number];

/** Of `1.2.3`, `v1.2`, `1.2.3-rc.1`; undefined for other text. What comes before a release counts as it. */
export function parseVersion(text: string): Version | undefined {
  const parts = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:[-+].*)?$/.exec(text.trim());
  return parts ? [Number(parts[1]), Number(parts[2] ?? 0), Number(parts[3] ?? 0)] : undefined;
}

/** Negative when `a` is older. */
export function compareVersions(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
