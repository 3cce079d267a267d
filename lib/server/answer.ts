/** Leads requests and WebSockets to what answers them. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { WRITTEN_URL } from "../http/written-url.ts";
import type { Running } from "../platform.ts";
import { type Mount, routeOf } from "../rules/http/address.ts";
import { ADDRESS_HEADER } from "../rules/http/caller-address.ts";
import type { RequestTarget } from "../rules/http/front.ts";
import { admitRequest, admitPageRequest, type Tunnel } from "./admission.ts";
import { addressOf, countKeysApart, refuseDeployments } from "./callers.ts";
import { setPagePolicy } from "./page-policy.ts";
import { createThreadSockets } from "./thread-sockets.ts";

type NextHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Leads a request to its route in Next (`handle`), with the policy of the console's pages where it is one of these. */
export function answerBy(running: Running, handle: NextHandler, dev: boolean): RequestListener {
  return (request, response) => {
    const { settings } = running;
    response.setHeader("x-content-type-options", "nosniff");
    const target = admitRequest(request, response, settings);
    if (!target) return;
    request.url = markAndRoute(running, request, target);
    const handOn = (): void => void handle(request, response);
    if (isBelow("/agents", request.url)) return countKeysApart(running, request, handOn);
    if (!isBelow("/api", request.url) && !admitPageRequest(request, response, settings)) return;
    setPagePolicy(request, response, dev);
    if (settings.apiKey) countKeysApart(running, request, handOn);
    else void refuseDeployments(running, request, response, handOn);
  };
}

/** Opens WebSockets of threads. Returns false for all others. */
export function tunnelsBy(running: Running): (tunnel: Tunnel) => boolean {
  const sockets = createThreadSockets(running);
  return ({ target, refuse, ...tunnel }) => {
    const route = markAndRoute(running, tunnel.request, target);
    if (!sockets.has(route)) return false;
    countKeysApart(running, tunnel.request, () => sockets.open({ ...tunnel, route }, refuse));
    return true;
  };
}

/** Notes on a request what later floors believe of it. Returns the route that it is led to. */
function markAndRoute(
  { platform, settings }: Running,
  request: IncomingMessage,
  { host, path }: RequestTarget,
): string {
  request.headers.host = host;
  request.headers[WRITTEN_URL] = path;
  request.headers[ADDRESS_HEADER] = addressOf(request, settings.trustProxy);
  const mountOf = (deployment: string): Mount => {
    const http = platform.find(deployment)?.config?.http;
    return { prefix: http?.mount_prefix, ownRoutes: http?.app !== undefined };
  };
  return routeOf(host, path, mountOf, settings.publicUrl);
}

function isBelow(folder: string, url: string): boolean {
  return url.startsWith(`${folder}/`);
}
