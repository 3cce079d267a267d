/** Answers requests for pages and files of the console by Next, and compresses them. */
import compression from "compression";
import { existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import { constants } from "node:zlib";
import { upgradesOfNext } from "./admission.ts";
import { isRefresh, sendWhole } from "./refreshed-page.ts";

export type AnswerPage = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const FOLDER = resolve(import.meta.dirname, "../..");

/**
 * Next is loaded when the first request needs it: a server whose API alone is used does not hold it in memory. Throws if
 * the pages have not been built.
 */
export function builtPages(): AnswerPage {
  if (!existsSync(join(FOLDER, ".next/BUILD_ID"))) throw new Error("The console has not been built: run npm run build");
  let loading: Promise<AnswerPage> | undefined;
  return async (request, response) => {
    loading ??= loadNext({ dev: false });
    const answer = await loading.catch((cause: unknown) => {
      loading = undefined;
      response.writeHead(500).end("The console could not be loaded");
      throw cause;
    });
    await answer(request, response);
  };
}

/** Loads Next with its compiler, which compiles pages and routes again when their files change. */
export async function pagesInDevelopment(hostname: string, port: number): Promise<AnswerPage> {
  return await loadNext({ dev: true, hostname, port });
}

async function loadNext(options: { dev: boolean; hostname?: string; port?: number }): Promise<AnswerPage> {
  const { default: next } = await import("next");
  const app = next({ ...options, dir: FOLDER, quiet: true, httpServer: upgradesOfNext });
  await app.prepare();
  return compressed(app.getRequestHandler());
}

/** The types of pages and their files. Next gives some answers of the API too, those of odd paths, which are sent as all others are. */
const PARTS_OF_PAGES = /^(?:text\/(?:html|css|javascript|x-component)|application\/javascript|image\/svg\+xml)\b/;

/** Compresses pages and their files: with Brotli if the client takes it, else with gzip. */
function compressed(answer: AnswerPage): AnswerPage {
  const compress = compression({
    // The first load of a page names many files of a few hundred bytes.
    threshold: 0,
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } },
    filter: (_request, response) => PARTS_OF_PAGES.test(String(response.getHeader("content-type"))),
  }) as unknown as (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  return async (request, response) => {
    if (isRefresh(request.headers)) sendWhole(response);
    if (request.method === "GET") compress(request, response, () => undefined);
    await answer(request, response);
  };
}
