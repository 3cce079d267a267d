import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { StepFailure, type StepContext } from "../../engine/ports/builds.ts";
import { isObject } from "../../protocol/json.ts";
import { type RegistrySettings, readRegistrySettings } from "../../rules/packages/registry-settings.ts";
import { runCommand } from "./command.ts";

export interface NpmOptions {
  /** npm's main file, of the npm that started the server. */
  npm: string;
  /** The server's environment, which may hold npm's settings and registries' tokens. */
  environment: Readonly<Record<string, string | undefined>>;
}

/** Reads the operator's npm settings: registry, tokens, certificates, proxies. That takes half a second. */
export async function readRegistry({ npm, environment }: NpmOptions, context: StepContext): Promise<RegistrySettings> {
  const printed: Buffer[] = [];
  const settings = Object.entries(environment).filter(([name]) => /^(?:HOME|PATH|PREFIX)$|^npm_config_/i.test(name));
  const code = await runCommand({
    signal: context.signal,
    // npm's warnings are for the operator, not for deployers.
    writeLine: () => undefined,
    file: process.execPath,
    args: [npm, "config", "list", "--long", "--json", "--no-workspaces"],
    cwd: dirname(npm),
    env: { PATH: "/usr/bin:/bin", npm_config_globalconfig: globalConfigOf(npm), ...Object.fromEntries(settings) },
    output: (bytes) => void printed.push(bytes),
    limits: { folder: dirname(npm) },
  });
  if (code !== 0) {
    const fix = "Run `npm config list` on the server and correct what it reports";
    throw new StepFailure("npm's settings on this server can't be read", { fix });
  }
  const config: unknown = JSON.parse(Buffer.concat(printed).toString());
  const known = isObject(config) ? config : {};
  const paths = [known.globalconfig, known.userconfig].filter((path) => typeof path === "string");
  const files = await Promise.all(paths.map((path) => readFile(path, "utf8").catch(() => "")));
  return readRegistrySettings(config, files, environment);
}

/** npm reads this file beside the Node.js that runs it, here the server's: `lib/node_modules/npm/bin/npm-cli.js`. */
function globalConfigOf(npm: string): string {
  return join(resolve(dirname(npm), "../../../.."), "etc", "npmrc");
}
