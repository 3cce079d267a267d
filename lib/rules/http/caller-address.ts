/** Where a request comes from, as failures are counted by. */
import ipaddr from "ipaddr.js";

/** Set by `lib/server.ts`, never taken from a client: what `callerAddress` says of the request. */
export const ADDRESS_HEADER = "x-graphlib-address";

/** Of requests whose connection has no address any more. */
export const UNKNOWN_ADDRESS = "unknown";

/** Tries of deployments' code count under this name, whatever address it claims: it must not use up the operator's. */
export const DEPLOYMENTS_ADDRESS = "deployments";

/** Tries of pages of other origins are counted apart: whoever looks at such a page has not tried anything. */
export function ofForeignPages(address: string): string {
  return `${address} (pages)`;
}

export interface Connection {
  /** The address of the connection's other end. */
  peer: string | undefined;
  /** `X-Forwarded-For` as it was sent. */
  forwardedFor: string | undefined;
  trustProxy: boolean;
}

/**
 * The address that a request comes from: that of the connection, or behind a trusted proxy the last one that the proxy
 * has named, since a client can write those before it. An IPv6 address stands for its network of 64 bits, which one
 * customer has whole; an IPv4 address in IPv6 is the IPv4 address. Total.
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

/** Proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711` as well. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1];
  return bracketed ?? text.replace(/^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/, "$1");
}

const withoutZone = (text: string): string => text.replace(/%.*$/, "");
