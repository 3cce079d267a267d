/** The environments of the programs that the server starts: workers, package managers, git. */
import { existsSync, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Variables that every worker needs. The platform's own are not among them. */
const WORKER_BASE = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"];
const PROXIES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];

/**
 * Returns the environment of a worker: a minimal base, the folder where Node caches compiled code (which saves 60 ms of a
 * start), and the application's own variables. `own` replaces the server's home and temporary folder.
 */
export function workerEnvironment(
  variables: Record<string, string>,
  { compileCache, own }: { compileCache: string; own?: { home: string; temporary: string } },
  source: Readonly<Record<string, string | undefined>> = process.env,
): NodeJS.ProcessEnv {
  const base = [...WORKER_BASE, ...PROXIES].map((name): [string, string | undefined] => [name, source[name]]);
  return {
    NODE_ENV: "production",
    NODE_COMPILE_CACHE: compileCache,
    // With background callbacks, tokens of a fast model would still be in LangChain's queue at the run's end, and be lost.
    LANGCHAIN_CALLBACKS_BACKGROUND: "false",
    ...Object.fromEntries(base.filter(([, value]) => value !== undefined)),
    ...(own && { HOME: own.home, TMPDIR: own.temporary }),
    ...variables,
  };
}

/** Returns the certificate files that the server trusts. Processes of deployments may read them. */
export function certificateFiles(source: Readonly<Record<string, string | undefined>> = process.env): string[] {
  return ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"].map((name) => source[name]).filter((path) => path !== undefined);
}

/** Returns the variables that fetching and building programs need: the search path, proxies and certificates. */
export function buildEnvironment(
  source: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string | undefined> {
  const names = ["PATH", "LANG", "LC_ALL", "TZ", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", ...PROXIES];
  return Object.fromEntries(names.map((name) => [name, source[name]]));
}

/** Finds npm's main file and its settings. If npm started the server, that npm is used. */
export function findNpm(): { npm: string; environment: Readonly<Record<string, string | undefined>> } {
  const { npm_execpath: running, PATH = "" } = process.env;
  if (running !== undefined && /npm-cli\.c?js$/.test(running)) return { npm: running, environment: { ...process.env } };
  const files = PATH.split(delimiter).map((folder) => join(folder, "npm"));
  const found = files.find((file) => existsSync(file));
  return { npm: found === undefined ? "npm" : realpathSync(found), environment: { ...process.env } };
}

/** Returns the whole environment. `rules/workers/lent-variables.ts` decides which variables an application gets. */
export function serverEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
