/** Provides the Node.js and the entry file of a worker, by major version. */
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { transform } from "esbuild";
import type { StepContext } from "../../engine/ports/builds.ts";
import { isObject } from "../../protocol/json.ts";
import { compareVersions, parseVersion, type Version } from "../../protocol/versions.ts";
import { createKeyedLock } from "../keyed-lock.ts";
import type { Tools } from "./tools.ts";

export interface Runtime {
  /** The binary of Node.js. */
  node: string;
  version: Version;
  /** The worker's entry file. */
  main: string;
  /** Folders of the server that the worker reads: its own files, and packages. */
  reads: readonly string[];
}

export interface Runtimes {
  /** Returns the server's own Node.js, or installs another once. Throws `StepFailure`. */
  get(major: string, context: StepContext): Promise<Runtime>;
}

/** The first version that runs the worker's TypeScript directly. */
const READS_TYPESCRIPT: Version = [22, 18, 0];

/** `main`: `lib/worker/main.ts`. `folder`: `tools` of the home folder. */
export function createRuntimes({ tools, main, folder }: { tools: Tools; main: string; folder: string }): Runtimes {
  const lock = createKeyedLock();
  return {
    async get(major, context) {
      const node = await tools.node(major, context);
      const own = { main, reads: readsOf(main) };
      if (node === process.execPath) return { ...own, node, version: versionIn(process.versions.node) };
      const version = await versionOf(dirname(dirname(node)));
      if (compareVersions(version, READS_TYPESCRIPT) >= 0) return { ...own, node, version };
      const compiled = await lock(major, context.signal, () => compileWorker(main, major, folder));
      return { node, version, main: compiled, reads: [...readsOf(compiled), ...own.reads] };
    },
  };
}

async function versionOf(folder: string): Promise<Version> {
  const about: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  return versionIn(isObject(about) && typeof about.version === "string" ? about.version : "");
}

function versionIn(text: string): Version {
  return parseVersion(text) ?? [0, 0, 0];
}

/** Returns the folders of the worker's own files and of what they import. */
function sourceFoldersOf(lib: string): string[] {
  return ["worker", "rules", "protocol"].map((floor) => join(lib, floor));
}

/** Returns what the worker reads: these folders, and the package that they belong to. `main`: `lib/worker/main.ts`. */
export function readsOf(main: string): string[] {
  const lib = dirname(dirname(main));
  const root = dirname(lib);
  return [...sourceFoldersOf(lib), join(root, "package.json"), join(root, "node_modules")];
}

/**
 * Compiles the worker's own files to JavaScript for an older Node.js, in a folder named by their content. The layout of
 * files is the same, and a link leads to the server's packages.
 */
async function compileWorker(main: string, major: string, folder: string): Promise<string> {
  const lib = dirname(dirname(main));
  const files = await sourcesBelow(sourceFoldersOf(lib));
  const all = createHash("sha256").update(major);
  for (const { path, text } of files) all.update(`${relative(lib, path)}\0${text}\0`);
  const into = join(folder, `worker-${all.digest("hex").slice(0, 16)}`);
  const compiled = join(into, "lib", relative(lib, main)).replace(/\.ts$/, ".js");
  if (existsSync(compiled)) return compiled;
  const fresh = join(folder, `.new-${randomUUID()}`);
  try {
    for (const { path, text } of files) {
      const target = join(fresh, "lib", relative(lib, path)).replace(/\.ts$/, ".js");
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, await compileFile(path, text, major));
    }
    await writeFile(join(fresh, "package.json"), ABOUT);
    const packages = dirname(dirname(createRequire(main).resolve("zod/package.json")));
    await symlink(packages, join(fresh, "node_modules"));
    await rename(fresh, into);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return compiled;
}

async function sourcesBelow(folders: readonly string[]): Promise<{ path: string; text: string }[]> {
  const found: string[] = [];
  for (const folder of folders) {
    const names = await readdir(folder, { recursive: true });
    found.push(...names.filter((name) => name.endsWith(".ts")).map((name) => join(folder, name)));
  }
  return await Promise.all(found.toSorted().map(async (path) => ({ path, text: await readFile(path, "utf8") })));
}

const STAND_IN = "older-node";
const ABOUT = JSON.stringify({ type: "module", imports: { [`#${STAND_IN}`]: `./lib/worker/modules/${STAND_IN}.js` } });

async function compileFile(path: string, text: string, major: string): Promise<string> {
  const { code } = await transform(text, {
    loader: "ts",
    format: "esm",
    target: `node${major}`,
    sourcemap: "inline",
    sourcefile: basename(path),
  });
  const script = code.replaceAll(/(["'])(\.{1,2}\/[\w./-]+)\.ts\1/g, "$1$2.js$1");
  // The stand-in imports the real module.
  return path.endsWith(`${STAND_IN}.ts`) ? script : script.replaceAll(NODE_MODULE, `$1"#${STAND_IN}";`);
}

const NODE_MODULE = /^(import [^;]* from )"node:module";$/gm;
