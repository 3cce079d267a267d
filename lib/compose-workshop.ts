/** Where builds are made: sources, packages, compiled code, in folders below `GRAPHLIB_HOME`. */
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isPublic } from "./drivers/addresses.ts";
import { createCompile, createLook } from "./drivers/builds/compile.ts";
import { createInstall } from "./drivers/builds/install.ts";
import { createPackageCache } from "./drivers/builds/package-cache.ts";
import { createPreflight } from "./drivers/builds/preflight.ts";
import { createRuntimes, type Runtimes } from "./drivers/builds/runtimes.ts";
import { createTools } from "./drivers/builds/tools.ts";
import { removeTree } from "./drivers/remove-tree.ts";
import { createSources } from "./drivers/sources/fetch.ts";
import { readFolderApp } from "./drivers/sources/folder.ts";
import { StepFailure, type Workshop } from "./engine/build-ports.ts";
import { buildEnvironment, type Environment, findNpm } from "./env.ts";

/** Packages that no kept build uses. */
const PACKAGES = { olderThanMs: 14 * 86_400_000, bytes: 5 * 1024 ** 3 };

export function createWorkshop({ GRAPHLIB_HOME: home, ALLOW_LOCAL_SOURCES: allowLocal }: Environment): {
  workshop: Workshop;
  runtimes: Runtimes;
} {
  const compiler = {
    main: join(process.cwd(), "lib", "worker", "compile.ts"),
    cache: join(home, "compile-cache"),
  };
  const npm = findNpm();
  const folder = join(home, "tools");
  const network = allowLocal ? {} : { allowsAddress: isPublic };
  const tools = createTools({ ...npm, folder, network });
  const cache = createPackageCache(home);
  const main = join(process.cwd(), "lib", "worker", "main.ts");
  const sources = createSources({ home, env: buildEnvironment(), allowLocal });
  const workshop: Workshop = {
    ...createPlaces(home),
    sources,
    preflight: createPreflight(createLook(compiler)),
    async config({ folder: place, root }) {
      const { config, problem } = await readFolderApp(place, { root });
      if (config) return config;
      throw new StepFailure(problem ?? "The configuration could not be read");
    },
    install: createInstall({ ...npm, downloads: join(home, "downloads"), cache, tools, network }),
    compile: createCompile(compiler),
    async sweep(inUse) {
      await sources.sweep(inUse);
      await cache.sweep(PACKAGES, Date.now());
    },
  };
  return { workshop, runtimes: createRuntimes({ tools, main, folder }) };
}

/** Where the files of revisions lie. */
function createPlaces(home: string): Pick<Workshop, "place" | "built" | "remove" | "removeAll"> {
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
