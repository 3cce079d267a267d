/** Limits the concurrent deliveries of webhooks and push notifications. */

/** The most concurrent deliveries. */
export const SLOTS = 64;
/** The most concurrent deliveries to one host. A host that never answers blocks no more than these. */
export const SLOTS_A_HOST = 4;

/** Returns the host of an address with its port; empty for a path of this server. */
export function receiverOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}

/**
 * Returns how many deliveries may be claimed now and which hosts must not be among them, so that no host exceeds its
 * limit whichever are claimed. This server itself counts as no host.
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
