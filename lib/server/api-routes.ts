/** Answers requests of the API by the route files below `app/(api)`, without Next. */
import { readdir } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { RouteHandler } from "../http/call.ts";
import { platform } from "../platform.ts";
import { type RouteParams, routeTree } from "../rules/http/route-tree.ts";
import { IncomingRequest } from "./incoming-request.ts";
import { sendResponse } from "./send-response.ts";

const FOLDER = join(import.meta.dirname, "../../app/(api)");

/** What a route file exports: a handler for each method. */
type RouteFile = Readonly<Record<string, RouteHandler | undefined>>;

/** Returns false for a request that is left to Next: of another path, or with a method that its route does not have. */
export type AnswerRoute = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Imports all route files. */
export async function readApiRoutes(): Promise<AnswerRoute> {
  const files = (await readdir(FOLDER, { recursive: true })).filter((file) => /(?:^|[/\\])route\.ts$/.test(file));
  const find = routeTree(await Promise.all(files.map(importRoute)));
  return (request, response) => {
    const { method = "", url = "" } = request;
    const path = url.split("?", 1)[0] ?? "";
    const match = find(path);
    const handle = match && handlerOf(match.route, method);
    if (!handle) return false;
    answer(handle, match.params, request, response).catch((cause: unknown) =>
      platform().logger.error(`${method} ${path} could not be answered`, cause),
    );
    return true;
  };
}

async function importRoute(file: string): Promise<[folders: string[], route: RouteFile]> {
  const route = (await import(pathToFileURL(join(FOLDER, file)).href)) as RouteFile;
  return [dirname(file).split(sep), route];
}

/** `HEAD` is answered like `GET`, without the body. */
function handlerOf(route: RouteFile, method: string): RouteHandler | undefined {
  return route[method] ?? (method === "HEAD" ? route.GET : undefined);
}

async function answer(
  handle: RouteHandler,
  params: RouteParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const answered = await handle(new IncomingRequest(request, response), { params: Promise.resolve(params) });
    await sendResponse(response, answered);
  } catch (cause) {
    if (!response.headersSent) response.writeHead(500).end("Internal Server Error");
    throw cause;
  }
}
