/** The "URL" namespace under which public clients expect the ids of system assistants (RFC 4122, version 5). */
const NAMESPACE = "6ba7b821-9dad-11d1-80b4-00c04fd430c8";

/** Hashes bytes with SHA-1. The caller passes the platform's own hash, because `lib/rules` imports no platform. */
export type Sha1 = (bytes: Uint8Array) => Uint8Array;

/** Returns the id of the assistant that is created for the graph of that name. */
export function assistantIdOf(graphId: string, sha1: Sha1): string {
  return uuidV5(NAMESPACE, graphId, sha1);
}

/** Returns the UUID of version 5 for a name. */
export function uuidV5(namespace: string, text: string, sha1: Sha1): string {
  const space = Uint8Array.from(namespace.replaceAll("-", "").match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const name = new TextEncoder().encode(text);
  const input = new Uint8Array(space.length + name.length);
  input.set(space);
  input.set(name, space.length);
  const hash = sha1(input).slice(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
