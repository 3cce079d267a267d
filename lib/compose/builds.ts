/** Composes the tools of builds: sources, packages and compiled code, in folders below `GRAPHLIB_HOME`. */
import { join } from "node:path";
import type { NamedBlobs } from "../drivers/blobs/named-blobs.ts";
import { createWorkFolders } from "../drivers/work-folders.ts";
import { terminalLogger } from "../drivers/terminal-logger.ts";
import { isPublic } from "../drivers/addresses.ts";
import { createCompile, createAnalyzeCode } from "../drivers/builds/compile.ts";
import { createBuildUsers } from "../drivers/builds/confinement.ts";
import { createInstall } from "../drivers/builds/install.ts";
import { createPackageCache } from "../drivers/builds/package-cache.ts";
import { createPreflight } from "../drivers/builds/preflight.ts";
import { sharedBuilds } from "../drivers/builds/shared-builds.ts";
import { sharedPackages } from "../drivers/builds/shared-packages.ts";
import { sweepShared } from "../drivers/builds/forgotten-builds.ts";
import { unsharedBuilds } from "../drivers/builds/revision-folders.ts";
import { createRuntimes, type Runtimes } from "../drivers/builds/runtimes.ts";
import { createTools } from "../drivers/builds/tools.ts";
import { createSources } from "../drivers/sources/fetch.ts";
import { readFolderApp } from "../drivers/sources/folder.ts";
import { BUILD_USERS, DEPLOYMENT_USERS } from "../drivers/workers/account.ts";
import type { BuildTools } from "../engine/ports/build-tools.ts";
import { StepFailure } from "../engine/ports/builds.ts";
import type { Environment } from "../env.ts";
import { buildEnvironment, findNpm } from "../program-env.ts";
import type { MachineIsolation } from "./isolation.ts";

/** Packages that no stored build uses are kept for this time, and up to this many bytes in all. */
const PACKAGES = { olderThanMs: 14 * 86_400_000, bytes: 5 * 1024 ** 3 };

export function createBuildTools(
  environment: Environment,
  { fence, facts }: MachineIsolation,
  ownPort: () => number | undefined,
  blobs: NamedBlobs | undefined,
): { buildTools: BuildTools; runtimes: Runtimes } {
  const { GRAPHLIB_HOME: home, ALLOW_LOCAL_SOURCES: allowLocal, GRAPHLIB_WORKER_UID_BASE: firstUser } = environment;
  const compiler = {
    main: join(process.cwd(), "lib", "worker", "compile.ts"),
    // The compiler reads foreign code, so nothing else uses the compile cache that it writes.
    cache: join(home, "compile-cache", "builds"),
    fenced: fence && { fence, home },
  };
  const npm = findNpm();
  const folder = join(home, "tools");
  const network = { ownPort, ...(!allowLocal && { allowsAddress: isPublic }) };
  const users = facts.ownUsers ? createBuildUsers(firstUser + DEPLOYMENT_USERS, BUILD_USERS, home) : undefined;
  const confinement = { fence, users };
  const tools = createTools({ ...npm, folder, network, fence });
  const local = createPackageCache(home);
  const sharing = blobs && { blobs, work: createWorkFolders(join(home, "packing")), logger: terminalLogger };
  const cache = sharing ? sharedPackages(local, sharing) : local;
  const sources = createSources({ home, env: buildEnvironment(), allowLocal, blobs });
  const install = createInstall({ ...npm, downloads: join(home, "downloads"), cache, tools, network, confinement });
  const files = sharing ? sharedBuilds({ home, install, ...sharing }) : unsharedBuilds(home);
  const buildTools: BuildTools = {
    ...files,
    sources,
    preflight: createPreflight(createAnalyzeCode(compiler)),
    async config({ folder: app, root }) {
      const { config, problem } = await readFolderApp(app, { root });
      if (config) return config;
      throw new StepFailure(problem ?? "The configuration could not be read");
    },
    install,
    compile: createCompile(compiler),
    async sweep(inUse) {
      await sources.sweep(inUse);
      if (blobs) await sweepShared(home, blobs, Date.now());
      await local.sweep(PACKAGES, Date.now());
    },
  };
  const main = join(process.cwd(), "lib", "worker", "main.ts");
  return { buildTools, runtimes: createRuntimes({ tools, main, folder }) };
}
