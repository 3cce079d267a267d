/** Installs programs for builds once from the registry: package managers, and other majors of Node.js. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StepFailure, type StepContext } from "../../engine/ports/builds.ts";
import { readInstallProblem } from "../../rules/packages/install-problem.ts";
import { npmrcOf, type RegistrySettings } from "../../rules/packages/registry-settings.ts";
import type { Fence } from "../fence/fence.ts";
import { runCommand } from "./command.ts";
import { certificatesOf, wrapFor } from "./confinement.ts";
import { type InstallNetwork, withInstallNetwork } from "./install-network.ts";
import { createKeyedLock } from "../keyed-lock.ts";
import { writePrivateFile } from "./private-file.ts";
import type { NetworkRule } from "./host-connections.ts";
import { type NpmOptions, readRegistry } from "./registry.ts";

export const SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin";

export interface Tools {
  /** Returns the folder of a package in this version. Throws `StepFailure`. */
  package(name: string, version: string, context: StepContext): Promise<string>;
  /** Returns the path of the `node` of a major version; the server's own needs no install. Throws `StepFailure`. */
  node(major: string, context: StepContext): Promise<string>;
  /** Returns the operator's registry settings, which are read once. */
  registry(context: StepContext): Promise<RegistrySettings>;
}

const OWN_MAJOR = process.versions.node.split(".")[0];

export interface ToolsOptions extends NpmOptions {
  /** The folder `tools` of the home folder. */
  folder: string;
  network: NetworkRule;
  fence?: Fence;
}

export function createTools(options: ToolsOptions): Tools {
  let cached: RegistrySettings | undefined;
  const registry: Tools["registry"] = async (context) => (cached ??= await readRegistry(options, context));
  const lock = createKeyedLock();

  const install = async (name: string, version: string, folderName: string, context: StepContext): Promise<string> => {
    const folder = join(options.folder, folderName.replaceAll("/", "+"));
    const inside = join(folder, "node_modules", name);
    const isThere = (): boolean => existsSync(join(inside, "package.json"));
    return await lock(folder, context.signal, async () => {
      if (isThere()) return inside;
      context.writeLine({ stream: "us", text: `Installing ${name} ${version} for this and later builds` });
      const fresh = join(options.folder, `.new-${randomUUID()}`);
      try {
        const settings = await registry(context);
        const { npm, environment, network: rule, fence } = options;
        await withInstallNetwork({ settings, environment, rule, files, context }, (network) =>
          fetchPackage({ npm, spec: `${name}@${version}`, into: fresh, settings, network, fence }, context),
        );
        // Another process may have installed it meanwhile, and may use it already.
        if (!isThere()) await rm(folder, { recursive: true, force: true });
        await rename(fresh, folder).catch((error: unknown) => {
          if (!isThere()) throw error;
        });
      } finally {
        await rm(fresh, { recursive: true, force: true });
      }
      return inside;
    });
  };
  return {
    registry,
    package: (name, version, context) => install(name, version, `${name}@${version}`, context),
    async node(major, context) {
      if (major === OWN_MAJOR) return process.execPath;
      // The package `node` would fetch this one by its install script, which is not run.
      const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
      return join(await install(name, major, `node-${major}`, context), "bin", "node");
    },
  };
}

/** No file of a source names these hosts: they come from the operator's own settings. */
const files = (): Promise<[]> => Promise.resolve([]);

interface PackageInstall {
  npm: string;
  /** The name and version. */
  spec: string;
  into: string;
  settings: RegistrySettings;
  network: InstallNetwork;
  fence: Fence | undefined;
}

async function fetchPackage(
  { npm, spec, into, settings, network, fence }: PackageInstall,
  context: StepContext,
): Promise<void> {
  await mkdir(into, { recursive: true });
  const npmrc = join(into, "npmrc");
  await writePrivateFile(npmrc, npmrcOf(settings, true));
  const lines: string[] = [];
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--no-update-notifier"];
  const code = await runCommand({
    ...context,
    writeLine(line) {
      lines.push(line.text);
      context.writeLine(line);
    },
    file: process.execPath,
    args: [npm, ...args, "--prefix", into, "--", spec],
    cwd: into,
    wrap: wrapFor(fence, {
      reads: [dirname(dirname(npm)), ...certificatesOf(network.env)],
      writes: [into],
      relay: network.relay,
    }),
    env: {
      PATH: SYSTEM_PATH,
      HOME: into,
      npm_config_userconfig: npmrc,
      npm_config_cache: join(into, "cache"),
      ...network.env,
    },
  });
  await rm(npmrc, { force: true });
  await rm(join(into, "cache"), { recursive: true, force: true });
  if (code === 0) return;
  const { message, fix } = readInstallProblem("npm", [...lines, ...network.unreachable], { manifests: [] }, code);
  throw new StepFailure(`${spec} could not be installed: ${message}`, { fix });
}
