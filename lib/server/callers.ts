/** Who is calling: the caller's address, and whether it is code of a deployment. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Running } from "../platform.ts";
import { ADDRESS_HEADER, callerAddress, DEPLOYMENTS_ADDRESS } from "../rules/http/caller-address.ts";

const addresses = new WeakMap<Socket, string>();

/** To be called before Next, which adds the connection's address to what proxies have said. */
export function addressOf({ socket, headers }: IncomingMessage, trustProxy: boolean): string {
  const known = trustProxy ? undefined : addresses.get(socket);
  if (known !== undefined) return known;
  const forwardedFor = [headers["x-forwarded-for"] ?? []].flat().join();
  const address = callerAddress({ peer: socket.remoteAddress, forwardedFor, trustProxy });
  addresses.set(socket, address);
  return address;
}

/** Kept by connection, as its other end stays the same. */
const ofDeployments = new WeakMap<Socket, Promise<boolean>>();

function isOfDeployment({ isDeployment }: Running, socket: Socket): Promise<boolean> {
  const asked = ofDeployments.get(socket) ?? isDeployment(socket);
  ofDeployments.set(socket, asked);
  return asked;
}

/** Tells whether a request shows a key, or may be a try at one. */
function triesKey({ headers, url = "" }: IncomingMessage): boolean {
  return headers["x-api-key"] !== undefined || headers.authorization !== undefined || url.startsWith("/sign-in/");
}

/**
 * Goes on with a request. Where it tries a key, wrong keys of deployments' code are first made to count for all deployments
 * together, and for nobody else's address.
 */
export function countKeysApart(running: Running, request: IncomingMessage, goOn: () => void): void {
  if (!running.settings.apiKey || !triesKey(request)) return goOn();
  void isOfDeployment(running, request.socket).then((isCode) => {
    if (isCode) request.headers[ADDRESS_HEADER] = DEPLOYMENTS_ADDRESS;
    goOn();
  });
}

/** Where no key keeps callers apart, code of deployments gets at deployments only, not at what manages them. */
export async function refuseDeployments(
  running: Running,
  { socket }: IncomingMessage,
  response: ServerResponse,
  goOn: () => void,
): Promise<void> {
  if (!(await isOfDeployment(running, socket))) return goOn();
  response.writeHead(403, { "content-type": "text/plain; charset=utf-8" });
  response.end("Code of a deployment may call deployments (/agents/...), not what manages them");
}
