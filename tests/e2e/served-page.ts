import { createServer } from "node:http";
import { join } from "node:path";
import { build } from "esbuild";
import { test } from "./fixtures.ts";

const HTML = '<!doctype html><html lang="en"><title>An application</title><body><script src="page.js"></script></body>';

/** Bundles a page of an application, and serves it at its own origin. Returns its URL. */
export function withPage(name: string): () => string {
  let address = "";
  let stop: () => void = () => undefined;
  test.beforeAll(async () => {
    const bundled = await build({
      entryPoints: [join(import.meta.dirname, `pages/${name}.tsx`)],
      bundle: true,
      write: false,
      format: "iife",
      jsx: "automatic",
      define: { "process.env.NODE_ENV": '"development"' },
    });
    const script = bundled.outputFiles[0]?.contents ?? "";
    const server = createServer((request, response) => {
      const [type, body] = request.url?.startsWith("/page.js") ? ["text/javascript", script] : ["text/html", HTML];
      response.writeHead(200, { "content-type": type }).end(body);
    });
    stop = () => server.close().closeAllConnections();
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const bound = server.address();
    address = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : ""}/`;
  });
  test.afterAll(() => stop());
  return () => address;
}
