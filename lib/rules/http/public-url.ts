/**
 * Returns the address under which the caller reached this server: `PUBLIC_URL` if set, else the one that the trusted
 * proxy reports, else the Host header. It has no trailing slash.
 */
export function publicUrl(headers: Headers, settings: { publicUrl?: string; trustProxy: boolean }): string {
  if (settings.publicUrl !== undefined) return settings.publicUrl.replace(/\/+$/, "");
  const proxied = settings.trustProxy ? firstOf(headers.get("x-forwarded-host")) : undefined;
  const proto = settings.trustProxy ? firstOf(headers.get("x-forwarded-proto")) : undefined;
  const host = proxied ?? headers.get("host") ?? "localhost";
  return `${proto === "https" ? "https" : "http"}://${host}`;
}

/** Returns whether browsers reach this server by https. */
export function isSecure(headers: Headers, settings: { publicUrl?: string; trustProxy: boolean }): boolean {
  return publicUrl(headers, settings).toLowerCase().startsWith("https:");
}

function firstOf(list: string | null): string | undefined {
  const first = list?.split(",")[0]?.trim();
  return first === "" ? undefined : first;
}
