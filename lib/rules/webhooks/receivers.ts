/** How many letters go out side by side, and to whom. */

/** Letters on their way at a time. */
export const SLOTS = 64;
/** To one host: one that never answers holds no more. */
export const SLOTS_A_HOST = 4;

/** The host that an address names, with its port; empty for a path of this server. */
export function receiverOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}

/**
 * How many letters may be taken now, and to which hosts none, so that whichever are taken no host gets more than its share.
 * This server itself counts as no host.
 */
export function decideClaim(underway: readonly string[]): { limit: number; busy: string[] } {
  const counts = new Map<string, number>();
  for (const host of underway) if (host !== "") counts.set(host, (counts.get(host) ?? 0) + 1);
  const free = [...counts.values()].filter((count) => count < SLOTS_A_HOST);
  return {
    limit: Math.min(SLOTS - underway.length, SLOTS_A_HOST - Math.max(0, ...free)),
    busy: [...counts].filter(([, count]) => count >= SLOTS_A_HOST).map(([host]) => host),
  };
}
