/** Routes requests and WebSockets to their handlers. */
import type { IncomingMessage, RequestListener } from "node:http";
import { WRITTEN_URL } from "../http/written-url.ts";
import type { Running } from "../platform.ts";
import { type Mount, routeOf } from "../rules/http/address.ts";
import { ADDRESS_HEADER } from "../rules/http/caller-address.ts";
import type { RequestTarget } from "../rules/http/front.ts";
import { admitRequest, admitPage, type UpgradeRequest } from "./admission.ts";
import type { AnswerRoute } from "./api-routes.ts";
import { addressOf, countKeysApart, refuseDeployments } from "./callers.ts";
import { setPagePolicy } from "./page-policy.ts";
import type { AnswerPage } from "./pages.ts";
import { answerProbe } from "./probes.ts";
import { createThreadSockets } from "./thread-sockets.ts";

/** Who answers requests that were admitted. */
export interface Answerers {
  /** Absent under development, where Next answers all requests, with the newest code of a route. */
  answerRoute?: AnswerRoute;
  answerPage: AnswerPage;
}

/** Returns a listener for requests, with the page policy for pages of the console. */
export function answerBy(running: Running, { answerRoute, answerPage }: Answerers): RequestListener {
  const dev = answerRoute === undefined;
  return (request, response) => {
    const { settings, platform } = running;
    response.setHeader("x-content-type-options", "nosniff");
    if (answerProbe(request, response, running.readiness)) return;
    const target = admitRequest(request, response, settings);
    if (!target) return;
    request.url = markAndRoute(running, request, target);
    const passOn = (): void => {
      if (answerRoute?.(request, response)) return;
      answerPage(request, response).catch((cause: unknown) =>
        platform.logger.error("a page could not be answered", cause),
      );
    };
    if (isBelow("/agents", request.url)) return countKeysApart(running, request, passOn);
    if (!isBelow("/api", request.url) && !admitPage(request, response, settings)) return;
    setPagePolicy(request, response, dev);
    if (settings.apiKey) countKeysApart(running, request, passOn);
    else void refuseDeployments(running, request, response, passOn);
  };
}

/** Returns a function that opens WebSockets of threads, and returns false for all others. */
export function openSocketsBy(running: Running): (upgrade: UpgradeRequest) => boolean {
  const sockets = createThreadSockets(running);
  return ({ target, refuse, ...upgrade }) => {
    const route = markAndRoute(running, upgrade.request, target);
    if (!sockets.has(route)) return false;
    countKeysApart(running, upgrade.request, () => sockets.open({ ...upgrade, route }, refuse));
    return true;
  };
}

/** Sets the headers that the API trusts about a request. Returns the route of the request. */
function markAndRoute(
  { platform, settings }: Running,
  request: IncomingMessage,
  { host, path }: RequestTarget,
): string {
  request.headers.host = host;
  request.headers[WRITTEN_URL] = path;
  request.headers[ADDRESS_HEADER] = addressOf(request, settings.trustProxy);
  describeConnection(request);
  const mountOf = (deployment: string): Mount => {
    const http = platform.find(deployment)?.config?.http;
    return { prefix: http?.mount_prefix, ownRoutes: http?.app !== undefined };
  };
  return routeOf(host, path, mountOf, settings.publicUrl);
}

/** Tells an application behind the API how its caller reached the server, as a proxy does. What a proxy said stays. */
function describeConnection({ headers, socket }: IncomingMessage): void {
  headers["x-forwarded-host"] ??= headers.host;
  headers["x-forwarded-port"] ??= String(socket.localPort);
  headers["x-forwarded-proto"] ??= "http";
  headers["x-forwarded-for"] ??= socket.remoteAddress;
}

function isBelow(folder: string, url: string): boolean {
  return url.startsWith(`${folder}/`);
}
