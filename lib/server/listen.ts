/** Listens for connections and limits the cost of each. */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { DEFAULT_PORT } from "../env.ts";
import { frontOptions } from "./admission.ts";
import { limitPipelining, limitSlowness } from "./connection-limits.ts";

/** Times in ms. A large upload may take longer than any fixed limit for a request, so its pace is limited instead. */
const LIMITS = { keepAliveTimeout: 65_000, requestTimeout: 0, headersTimeout: 30_000, keepAlive: true };

export interface Front {
  answer: RequestListener;
  /** Adds listeners for upgrades and other events of a new server. */
  guard: (server: Server) => void;
}

/** Listens at a port, or at the first free one from the default port on. */
export function listen(front: Front, port: number | undefined, host: string): Promise<Server> {
  return port === undefined ? listenNear(front, host) : listenAt(front, port, host);
}

async function listenAt({ answer, guard }: Front, port: number, host: string): Promise<Server> {
  const server = createServer({ ...LIMITS, ...frontOptions }, limitPipelining(answer));
  guard(server);
  limitSlowness(server);
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(port, host, done);
  });
  return server;
}

/** If no port is given, this many ports after the default one are tried. */
const PORTS_TRIED = 20;

async function listenNear(front: Front, host: string): Promise<Server> {
  for (let port = DEFAULT_PORT; ; port++) {
    try {
      return await listenAt(front, port, host);
    } catch (error) {
      const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
      if (!isTaken || port === DEFAULT_PORT + PORTS_TRIED) throw error;
    }
  }
}

/**
 * Listens at the IPv6 loopback address as well. Browsers try `::1` first for `localhost`, so a deployment's code that
 * took the port there would be shown in place of the console. Undefined if the address is not available.
 */
export async function listenOnIpv6Loopback(
  front: Front,
  address: ReturnType<Server["address"]>,
): Promise<Server | undefined> {
  if (address === null || typeof address === "string") return undefined;
  return await listenAt(front, address.port, "::1").catch(() => undefined);
}

/** Returns the origin at which this server calls itself. A server that is bound to all addresses uses the loopback one. */
export function ownOrigin(address: AddressInfo | string | null): string {
  if (address === null || typeof address === "string") return "";
  const host = address.address === "0.0.0.0" ? "127.0.0.1" : address.address === "::" ? "::1" : address.address;
  return `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}
