/** Prints messages for the person who started the server. */
import type { AddressInfo } from "node:net";
import { DEFAULT_PORT, EnvironmentError } from "../env.ts";
import type { Running } from "../platform.ts";
import { DEFAULT_DEPLOYMENT } from "../protocol/names.ts";
import { tryItLine } from "./try-it.ts";
import { errorMessage } from "../rules/text/error-message.ts";

export const USAGE = `Usage: npm start -- [--app <folder>] [--port <n>] [--host <address>] [--home <folder>]`;

/** Prints the console's address, and a call that tries the application. `wanted` is the requested port. */
export function announce(
  address: AddressInfo | string | null,
  host: string,
  { platform, settings, consoleLink = "" }: Running,
  wanted: number | undefined,
): void {
  const port = typeof address === "object" ? address?.port : undefined;
  const shown = host === "0.0.0.0" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  const url = `http://${shown}:${port}`;
  if (wanted === undefined && port !== DEFAULT_PORT) {
    console.log(`\n  Another program has port ${DEFAULT_PORT}. For npx graphlib: export GRAPHLIB_URL=${url}`);
  }
  console.log(`\n  Console  ${url}${consoleLink}\n`);
  const deployment = platform.find(DEFAULT_DEPLOYMENT);
  if (!deployment) return;
  tryItLine(deployment, { url, keyed: settings.apiKey !== undefined }).then(
    (line) => line !== undefined && console.log(`  Try it   ${line}\n`),
    (error: unknown) => console.error(error),
  );
}

/** Returns the reason why the server could not be started. */
export function explain(error: unknown): string {
  if (error instanceof EnvironmentError) return error.message;
  if (error instanceof Error && "code" in error) {
    if (error.code === "EADDRINUSE") return "The port is in use: stop the other server, or set PORT to a free one.";
    if (error.code === "EACCES") return "The port may not be used by this user: set PORT to one above 1023.";
    if (String(error.code).startsWith("ERR_PARSE_ARGS")) return `${error.message}\n${USAGE}`;
  }
  return errorMessage(error);
}
