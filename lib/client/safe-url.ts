/** Links in an agent's text may lead to pages and mail addresses only, never to scripts. */
const ALLOWED = new Set(["http:", "https:", "mailto:"]);

/** Returns the normalised address if people may follow it, or else undefined. */
export function safeUrl(text: string): string | undefined {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return undefined;
  }
  // Credentials in an address can disguise its host.
  if (!ALLOWED.has(url.protocol) || url.username !== "" || url.password !== "") return undefined;
  return url.href;
}
