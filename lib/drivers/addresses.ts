/** Resolves hosts, and tells public addresses from others. */
import { lookup as lookupHost } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { rejectOnAbort } from "./reject-on-abort.ts";

/** Returns the addresses of a host. */
export type Resolve = (host: string) => Promise<string[]>;

/** Returns whether an address is public: not of this machine or a private network, nor a form of another one. */
export function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== "unicast") return false;
  // Only this part of IPv6 has been assigned as public so far.
  return address.kind() === "ipv4" || address.match(ipaddr.parseCIDR("2000::/3"));
}

/** Returns the host name of a URL, without the brackets around an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "").toLowerCase();
}

export async function resolveHost(host: string): Promise<string[]> {
  return (await lookupHost(host, { all: true })).map(({ address }) => address);
}

/** Returns whether a host has an address that is not allowed, or a name for this machine. */
export function isRefused(host: string, addresses: readonly string[], allows: (address: string) => boolean): boolean {
  return /(^|\.)localhost\.?$/.test(host) || !addresses.every(allows);
}

/** Resolves a host until `signal` aborts. Throws if there is no address. */
export async function resolveAddresses(host: string, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  const addresses = await rejectOnAbort(resolve(host), signal);
  if (addresses.length === 0) throw new Error(`${host} has no address`);
  return addresses;
}

/** Returns a lookup that yields these addresses for every host. */
export function fixedLookup(addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: ipaddr.parse(address).kind() === "ipv6" ? 6 : 4 }));
  return (_host, { all }, done) => {
    const [first = { address: "", family: 4 }] = known;
    if (all) done(null, known);
    else done(null, first.address, first.family);
  };
}
