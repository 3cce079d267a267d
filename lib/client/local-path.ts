/** A path of this console and nothing else: what comes in an address must not lead to another host. */
export function localPath(given: unknown): string {
  const isLocal = typeof given === "string" && /^\/(?![/\\])[\x20-\x7e]*$/.test(given) && !given.includes("\\");
  return isLocal ? given : "/";
}
