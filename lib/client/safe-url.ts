/** What an agent's text may lead to: a page or a mail, named in full. An address is data; it is never a script. */
const ALLOWED = new Set(["http:", "https:", "mailto:"]);

/** The address, normalised, when a person may follow it; else undefined. */
export function safeUrl(text: string): string | undefined {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return undefined;
  }
  // Credentials in an address serve to disguise its host.
  if (!ALLOWED.has(url.protocol) || url.username !== "" || url.password !== "") return undefined;
  return url.href;
}
