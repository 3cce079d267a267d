/** Identifies callers: their address, and whether they are code of a deployment. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Running } from "../platform.ts";
import { ADDRESS_HEADER, callerAddress, DEPLOYMENTS_ADDRESS } from "../rules/http/caller-address.ts";

const addresses = new WeakMap<Socket, string>();

/** Returns the caller's address. Call this before Next does: it adds the connection's address to the proxies' header. */
export function addressOf({ socket, headers }: IncomingMessage, trustProxy: boolean): string {
  const known = trustProxy ? undefined : addresses.get(socket);
  if (known !== undefined) return known;
  const forwardedFor = [headers["x-forwarded-for"] ?? []].flat().join();
  const address = callerAddress({ peer: socket.remoteAddress, forwardedFor, trustProxy });
  addresses.set(socket, address);
  return address;
}

/** Cached by connection, because the peer of a connection never changes. */
const ofDeployments = new WeakMap<Socket, Promise<boolean>>();

function isOfDeployment({ isDeployment }: Running, socket: Socket): Promise<boolean> {
  const result = ofDeployments.get(socket) ?? isDeployment(socket);
  ofDeployments.set(socket, result);
  return result;
}

/** Returns whether a request has a key, or may be an attempt to guess one. */
function triesKey({ headers, url = "" }: IncomingMessage): boolean {
  return headers["x-api-key"] !== undefined || headers.authorization !== undefined || url.startsWith("/sign-in/");
}

/**
 * Calls `goOn` for a request. If it has a key and comes from a deployment's code, its address is replaced by one for all
 * deployments, so that their wrong keys never lock another caller's address.
 */
export function countKeysApart(running: Running, request: IncomingMessage, goOn: () => void): void {
  if (!running.settings.apiKey || !triesKey(request)) return goOn();
  void isOfDeployment(running, request.socket).then((isCode) => {
    if (isCode) request.headers[ADDRESS_HEADER] = DEPLOYMENTS_ADDRESS;
    goOn();
  });
}

/** On a server without a key, refuses code of deployments everything except calls of deployments. */
export async function refuseDeployments(
  running: Running,
  { socket }: IncomingMessage,
  response: ServerResponse,
  goOn: () => void,
): Promise<void> {
  if (!(await isOfDeployment(running, socket))) return goOn();
  response.writeHead(403, { "content-type": "text/plain; charset=utf-8" });
  response.end("Code of a deployment may call deployments (/agents/...), but not manage them");
}
