/** Real installs into homes of their own. Downloads and package managers are cached for the next run of the tests. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildConfinement } from "../../lib/drivers/builds/confinement.ts";
import { createAnalyzeCode } from "../../lib/drivers/builds/compile.ts";
import { createInstall } from "../../lib/drivers/builds/install.ts";
import { createPackageCache, type PackageCache } from "../../lib/drivers/builds/package-cache.ts";
import { createPreflight } from "../../lib/drivers/builds/preflight.ts";
import type { NetworkRule } from "../../lib/drivers/builds/host-connections.ts";
import { createTools } from "../../lib/drivers/builds/tools.ts";
import { probeFence } from "../../lib/drivers/fence/probe.ts";
import { type FetchedSource, type Install, StepFailure } from "../../lib/engine/ports/builds.ts";
import { findNpm } from "../../lib/program-env.ts";
import { CODE_CACHE, fetchedApp, type Files, LIB, newContext, newFolder } from "./built-apps.ts";

const KEPT = fileURLToPath(new URL("../../node_modules/.cache/builds", import.meta.url));
export const TOOLS = join(KEPT, "tools");

/** The time limit of an install. On a busy machine, these tests are the last to get processor time. */
export const INSTALL_MS = 900_000;

const newTools = (environment = findNpm().environment, network: NetworkRule = {}) =>
  createTools({ npm: findNpm().npm, environment, folder: TOOLS, network });

const found = await probeFence({ path: "/usr/bin:/bin", hidden: [] });
/** The fence of this machine, or undefined when it has none. */
export const fence = "fence" in found ? found.fence : undefined;

export function newInstaller(
  environment = findNpm().environment,
  network: NetworkRule = {},
  confinement: BuildConfinement = {},
  openCache: (home: string) => PackageCache = createPackageCache,
) {
  const home = newFolder();
  mkdirSync(join(home, "packages"));
  const { npm } = findNpm();
  const cache = openCache(home);
  const downloads = join(KEPT, "downloads");
  const install = createInstall({
    npm,
    environment,
    downloads,
    cache,
    tools: newTools(environment, network),
    network,
    confinement,
  });
  return { home, cache, install };
}

/** The program that reads and compiles the code of an application. */
export const COMPILER = { main: join(LIB, "worker/compile.ts"), cache: CODE_CACHE };
const preflight = createPreflight(createAnalyzeCode(COMPILER));

/** Returns what preflight plans for a source. */
export async function planOf(fetched: FetchedSource) {
  const { packages, node } = await preflight(fetched, [], new AbortController().signal);
  if (!packages) throw new Error("nothing to install");
  return { packages, node };
}

export interface HowInstalled {
  scripts?: boolean;
  signal?: AbortSignal;
  /** The context that receives the log lines; a new one when left out. */
  context?: ReturnType<typeof newContext>;
  with?: Install;
}

/** Creates functions that install what preflight plans for a source, by `install` unless `with` names another. */
export function newInstalled(install: Install) {
  const installed = async (fetched: FetchedSource, more: HowInstalled = {}) => {
    const context = more.context ?? newContext(more.signal);
    const { packages, node } = await planOf(fetched);
    const done = await (more.with ?? install)(fetched, { packages, node, scripts: more.scripts ?? false }, context);
    return { ...done, lines: context.lines };
  };
  const failureOf = async (files: Files, more: HowInstalled = {}): Promise<object> => {
    const failure: unknown = await installed(fetchedApp(undefined, files), more).catch((error: unknown) => error);
    if (!(failure instanceof StepFailure)) throw new Error("no failure", { cause: failure });
    return { message: failure.message, ...failure.details };
  };
  return { installed, failureOf };
}
