import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { StepFailure, type StepContext } from "../../engine/ports/builds.ts";
import { isObject } from "../../protocol/json.ts";
import { type RegistrySettings, readRegistrySettings } from "../../rules/packages/registry-settings.ts";
import { runCommand } from "./command.ts";

export interface NpmOptions {
  /** npm's own main file: the one that started the server. */
  npm: string;
  /** The server's environment: npm's settings may be there, and registries' tokens. */
  environment: Readonly<Record<string, string | undefined>>;
}

/** What whoever runs the server has told npm: the registry, its tokens, certificates, proxies. Half a second. */
export async function readRegistry({ npm, environment }: NpmOptions, context: StepContext): Promise<RegistrySettings> {
  const printed: Buffer[] = [];
  const settings = Object.entries(environment).filter(([name]) => /^(?:HOME|PATH|PREFIX)$|^npm_config_/i.test(name));
  const code = await runCommand({
    signal: context.signal,
    // Its warnings are for whoever keeps these settings, not for who deploys.
    writeLine: () => undefined,
    file: process.execPath,
    args: [npm, "config", "list", "--long", "--json", "--no-workspaces"],
    cwd: dirname(npm),
    env: { PATH: "/usr/bin:/bin", npm_config_globalconfig: globalConfigOf(npm), ...Object.fromEntries(settings) },
    output: (bytes) => void printed.push(bytes),
    limits: { folder: dirname(npm) },
  });
  if (code !== 0) {
    const fix = "Run `npm config list` on the server and mend what it says";
    throw new StepFailure("npm's settings on this server can't be read", { fix });
  }
  const config: unknown = JSON.parse(Buffer.concat(printed).toString());
  const known = isObject(config) ? config : {};
  const paths = [known.globalconfig, known.userconfig].filter((path) => typeof path === "string");
  const files = await Promise.all(paths.map((path) => readFile(path, "utf8").catch(() => "")));
  return readRegistrySettings(config, files, environment);
}

/** npm looks for it beside the Node.js that runs it, which here is the server's: `lib/node_modules/npm/bin/npm-cli.js`. */
function globalConfigOf(npm: string): string {
  return join(resolve(dirname(npm), "../../../.."), "etc", "npmrc");
}
