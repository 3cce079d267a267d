/** The client address by which failed attempts are counted. */
import ipaddr from "ipaddr.js";

/** The header that holds the result of `callerAddress`. `lib/server.ts` sets it; a client's own value is never used. */
export const ADDRESS_HEADER = "x-graphlib-address";

/** The address of requests whose connection no longer has one. */
export const UNKNOWN_ADDRESS = "unknown";

/** Attempts by deployments' code count under this address, so that they do not use up the operator's attempts. */
export const DEPLOYMENTS_ADDRESS = "deployments";

/** Returns the address that counts attempts of foreign pages: whoever opened such a page has attempted nothing. */
export function ofForeignPages(address: string): string {
  return `${address} (pages)`;
}

export interface Connection {
  /** The address of the connection's other end. */
  peer: string | undefined;
  /** The `X-Forwarded-For` header as it was sent. */
  forwardedFor: string | undefined;
  trustProxy: boolean;
}

/**
 * Returns the address that a request comes from: the connection's, or behind a trusted proxy the last one in
 * `X-Forwarded-For`, because a client can write the earlier ones. An IPv6 address stands for its network of 64 bits,
 * all of which one customer has. An IPv4 address mapped into IPv6 counts as the IPv4 address. Total.
 */
export function callerAddress({ peer, forwardedFor, trustProxy }: Connection): string {
  const forwarded = trustProxy ? networkOf(forwardedFor?.split(",").at(-1) ?? "") : undefined;
  return forwarded ?? networkOf(peer ?? "") ?? UNKNOWN_ADDRESS;
}

function networkOf(written: string): string | undefined {
  const text = withoutPort(written.trim());
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  if (address.kind() === "ipv4") return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(text)}/64`).toString()}/64`;
}

/** Removes the port, as in `192.0.2.1:4711` or `[2001:db8::1]:4711`, which some proxies write. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1];
  return bracketed ?? text.replace(/^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/, "$1");
}

const withoutZone = (text: string): string => text.replace(/%.*$/, "");
