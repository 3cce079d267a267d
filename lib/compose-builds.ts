/** Where builds are made: sources, packages, compiled code, in folders below `GRAPHLIB_HOME`. */
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { MachineIsolation } from "./compose-machine.ts";
import { isPublic } from "./drivers/addresses.ts";
import { createCompile, createLook } from "./drivers/builds/compile.ts";
import { createBuildUsers } from "./drivers/builds/confinement.ts";
import { createInstall } from "./drivers/builds/install.ts";
import { createPackageCache } from "./drivers/builds/package-cache.ts";
import { createPreflight } from "./drivers/builds/preflight.ts";
import { createRuntimes, type Runtimes } from "./drivers/builds/runtimes.ts";
import { createTools } from "./drivers/builds/tools.ts";
import { removeTree } from "./drivers/remove-tree.ts";
import { BUILD_USERS, DEPLOYMENT_USERS } from "./drivers/workers/account.ts";
import { createSources } from "./drivers/sources/fetch.ts";
import { readFolderApp } from "./drivers/sources/folder.ts";
import { StepFailure, type BuildTools } from "./engine/ports/builds.ts";
import { buildEnvironment, type Environment, findNpm } from "./env.ts";

/** Packages that no kept build uses. */
const PACKAGES = { olderThanMs: 14 * 86_400_000, bytes: 5 * 1024 ** 3 };

export function createBuildTools(
  environment: Environment,
  { fence, grounds }: MachineIsolation,
  ownPort: () => number | undefined,
): { buildTools: BuildTools; runtimes: Runtimes } {
  const { GRAPHLIB_HOME: home, ALLOW_LOCAL_SOURCES: allowLocal, GRAPHLIB_WORKER_UID_BASE: firstUser } = environment;
  const compiler = {
    main: join(process.cwd(), "lib", "worker", "compile.ts"),
    // The compiler reads foreign code: the compile cache that it writes is used by the compiler alone.
    cache: join(home, "compile-cache", "builds"),
    held: fence && { fence, home },
  };
  const npm = findNpm();
  const folder = join(home, "tools");
  const network = { ownPort, ...(!allowLocal && { allowsAddress: isPublic }) };
  const users = grounds.ownUsers ? createBuildUsers(firstUser + DEPLOYMENT_USERS, BUILD_USERS, home) : undefined;
  const confinement = { fence, users };
  const tools = createTools({ ...npm, folder, network, fence });
  const cache = createPackageCache(home);
  const main = join(process.cwd(), "lib", "worker", "main.ts");
  const sources = createSources({ home, env: buildEnvironment(), allowLocal });
  const buildTools: BuildTools = {
    ...createPlaces(home),
    sources,
    preflight: createPreflight(createLook(compiler)),
    async config({ folder: place, root }) {
      const { config, problem } = await readFolderApp(place, { root });
      if (config) return config;
      throw new StepFailure(problem ?? "The configuration could not be read");
    },
    install: createInstall({ ...npm, downloads: join(home, "downloads"), cache, tools, network, confinement }),
    compile: createCompile(compiler),
    async sweep(inUse) {
      await sources.sweep(inUse);
      await cache.sweep(PACKAGES, Date.now());
    },
  };
  return { buildTools, runtimes: createRuntimes({ tools, main, folder }) };
}

/** Where the files of revisions lie. */
function createPlaces(home: string): Pick<BuildTools, "place" | "built" | "remove" | "removeAll"> {
  const folderOf = (deployment: string): string => join(home, "deployments", deployment);
  const placeOf = (deployment: string, revision: number): string =>
    join(folderOf(deployment), "revisions", String(revision));
  return {
    async place(deployment, revision) {
      const place = placeOf(deployment, revision);
      await rm(place, { recursive: true, force: true });
      await mkdir(dirname(place), { recursive: true });
      return place;
    },
    async built(deployment, revision, source) {
      const root = placeOf(deployment, revision);
      const folder = join(root, source.type === "folder" ? "" : (source.folder ?? ""));
      if (existsSync(folder)) return { root, folder };
      throw new StepFailure(`The files of revision ${revision} are gone`, { fix: "Deploy its source again." });
    },
    remove: (deployment, revision) => rm(placeOf(deployment, revision), { recursive: true, force: true }),
    removeAll: (deployment) => removeTree(folderOf(deployment)),
  };
}
