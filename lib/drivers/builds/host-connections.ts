/** Connects the install proxy to hosts: it checks and pins their addresses, and uses another proxy where one is set. */
import { request as httpRequest, type ClientRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { authorityOf, type Proxies, proxyOf, type ProxyTarget } from "../../rules/packages/proxies.ts";
import { fixedLookup, isRefused, type Resolve, resolveAddresses, resolveHost } from "../addresses.ts";

/** The limit for a DNS lookup, for a connection, and for another proxy's response. */
const CONNECT_MS = 20_000;
/** A connection is closed after this time without data. npm itself waits five minutes for a response. */
export const IDLE_MS = 330_000;

export interface NetworkRule {
  /** Returns whether an address may be connected to; every address may when left out. */
  allowsAddress?: (address: string) => boolean;
  /** The system's resolver when left out. */
  resolve?: Resolve;
  /** The port of this server. A build must not reach its control plane, which trusts requests from this machine. */
  ownPort?: () => number | undefined;
}

export interface ConnectOptions extends NetworkRule {
  /** Registries of the operator's own settings, as `host:port`. They may have any address. */
  trusted: ReadonlySet<string>;
  proxies: Proxies;
}

/** Thrown for a host that is not public, or is this server. */
export class HostNotAllowed extends Error {
  override readonly name = "HostNotAllowed";
  readonly own: boolean;

  constructor(host: string, own: boolean) {
    super(host);
    this.own = own;
  }
}

/** Thrown for a host that can't be reached; the message is an error code. */
class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** Returns an error code that reveals nothing of this machine. */
export function unreachableCode(error: unknown): string {
  return error instanceof Unreachable ? error.message : codeOf(error, "ECONNRESET");
}

/** Connects to a host. Throws `HostNotAllowed`, or an error for `unreachableCode`. */
export async function connectHost(target: ProxyTarget, options: ConnectOptions): Promise<Socket> {
  const proxy = proxyOf(target, "https", options.proxies);
  const addresses = await addressesOf(target, options, proxy !== undefined);
  if (proxy === undefined) return await awaitOpen(connect({ ...target, ...lookupOf(addresses), timeout: CONNECT_MS }));
  const authority = authorityOf(target);
  const tunnel = throughProxy(proxy, { method: "CONNECT", path: authority, headers: { host: authority } });
  return await awaitTunnel(tunnel.end());
}

/** Starts a request without TLS. Throws `HostNotAllowed`, or an error for `unreachableCode`. */
export async function requestHost(
  target: ProxyTarget & { path: string },
  request: Pick<RequestOptions, "method"> & { headers: Record<string, string | string[] | undefined> },
  options: ConnectOptions,
): Promise<ClientRequest> {
  const proxy = proxyOf(target, "http", options.proxies);
  const addresses = await addressesOf(target, options, proxy !== undefined);
  const { host, port, path } = target;
  const requestOptions = { ...request, path, agent: false, timeout: IDLE_MS };
  if (proxy === undefined)
    return httpRequest({ ...requestOptions, maxHeaderSize: HEADER_BYTES, host, port, ...lookupOf(addresses) });
  return throughProxy(proxy, { ...requestOptions, path: `http://${authorityOf(target)}${path}` });
}

/** The most bytes of a request's or a response's headers. */
export const HEADER_BYTES = 32 * 1024;

/**
 * Resolves a host once and checks all of its addresses; the connection goes to one of these. Undefined when this
 * machine can't resolve the name but another proxy does, which then decides.
 */
async function addressesOf(
  target: ProxyTarget,
  { allowsAddress, resolve = resolveHost, trusted, ownPort }: ConnectOptions,
  proxied: boolean,
): Promise<string[] | undefined> {
  const { host } = target;
  const addresses = ipaddr.isValid(host)
    ? [host]
    : await resolveAddresses(host, resolve, AbortSignal.timeout(CONNECT_MS)).catch((error: unknown) => {
        if (proxied) return undefined;
        throw new Unreachable(codeOf(error, "ENOTFOUND"));
      });
  if (target.port === ownPort?.() && addresses?.some(isOfThisMachine) === true) throw new HostNotAllowed(host, true);
  if (!allowsAddress || trusted.has(authorityOf(target))) return addresses;
  if (isRefused(host, addresses ?? [], allowsAddress)) throw new HostNotAllowed(host, false);
  return addresses;
}

function isOfThisMachine(address: string): boolean {
  const parsed = ipaddr.process(address);
  if (parsed.range() === "loopback" || parsed.range() === "unspecified") return true;
  const all = Object.values(networkInterfaces()).flatMap((interfaces) => interfaces ?? []);
  return all.some((one) => ipaddr.process(one.address.replace(/%.*$/, "")).toString() === parsed.toString());
}

function lookupOf(addresses: readonly string[] | undefined): Pick<RequestOptions, "lookup"> {
  return addresses === undefined ? {} : { lookup: fixedLookup(addresses) };
}

function throughProxy(text: string, options: RequestOptions): ClientRequest {
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy?.protocol !== "http:" && proxy?.protocol !== "https:") throw new Unreachable("EPROXY");
  const { username, password, hostname, port, protocol } = proxy;
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = user === ":" ? {} : { "proxy-authorization": `Basic ${Buffer.from(user).toString("base64")}` };
  return (protocol === "https:" ? httpsRequest : httpRequest)({
    timeout: CONNECT_MS,
    agent: false,
    maxHeaderSize: HEADER_BYTES,
    ...options,
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? undefined : port,
    headers: { ...(options.headers as Record<string, string>), ...authorization },
  });
}

function awaitOpen(socket: Socket): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const failed = (error: Error): void => reject(new Unreachable(codeOf(error, "ECONNRESET")));
  socket.once("error", failed);
  socket.once("timeout", () => socket.destroy(Object.assign(new Error("timeout"), { code: "ETIMEDOUT" })));
  socket.once("connect", () => {
    socket.removeAllListeners("timeout").removeListener("error", failed);
    resolve(withIdleTimeout(socket));
  });
  return promise;
}

function awaitTunnel(tunnel: ClientRequest): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  tunnel.once("error", (error) => reject(new Unreachable(codeOf(error, "ECONNRESET"))));
  tunnel.once("timeout", () => tunnel.destroy(Object.assign(new Error("timeout"), { code: "ETIMEDOUT" })));
  tunnel.once("response", (response) => {
    response.destroy();
    reject(new Unreachable(`EPROXY${response.statusCode ?? ""}`));
  });
  tunnel.once("connect", ({ statusCode = 0 }, socket, head) => {
    if (statusCode !== 200) {
      socket.destroy();
      return reject(new Unreachable(`EPROXY${statusCode}`));
    }
    if (head.length > 0) socket.unshift(head);
    resolve(withIdleTimeout(socket));
  });
  return promise;
}

/** Closes the socket when it is idle. */
function withIdleTimeout(socket: Socket): Socket {
  return socket.setTimeout(IDLE_MS, () => socket.destroy());
}

function codeOf(error: unknown, otherwise: string): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? code : otherwise;
}
