/** Follows an application's imports from its entry files, by the rules of its worker, and runs none of it. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { BuildResult, Metafile, OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from "esbuild";
import { resolve as resolveImport } from "import-meta-resolve";
import type { CompileOrder, CompileReport } from "../../protocol/compile.ts";
import { type CompilerMessage, esbuild, messagesOf } from "./compiler.ts";
import { unbuiltPackage, type UnbuiltPackage } from "./own-package.ts";
import { EXTENSIONS, isFile, pathOf, sources } from "./typescript.ts";

export interface ReachReport extends Omit<CompileReport, "files"> {
  /** The real paths of the application's files that were read. */
  paths: string[];
}

const LARGEST_FILE = 10 * 1024 * 1024;
const PLUGIN = "graphlib";
/** Marks the plugin's warning about a package, which the bundler returns with the location of the import. */
const PACKAGE = "package";
/** Marks a resolution that the plugin requests from the bundler itself. */
const DELEGATED = "delegated";

type Order = Pick<CompileOrder, "root" | "folder" | "entries"> & { installed: boolean };

/** Bundles all entries at once. If that fails, it bundles each alone, so that errors of one hide nothing of others. */
export async function reach(order: Order): Promise<ReachReport> {
  const { folder, entries } = order;
  const root = realpathSync(order.root);
  const files = new Map(entries.map((entry) => [realpathSync(resolve(folder, entry)), entry]));
  const whole = await bundle(root, [...files.keys()], order.installed);
  const parts =
    "failure" in whole && files.size > 1
      ? await Promise.all([...files.keys()].map((file) => bundle(root, [file], order.installed)))
      : [whole];

  const name: NameOf = ({ location }) => fileName(folder, resolve(root, location?.file ?? ""));
  const reached: ReachReport = { paths: [], exports: {}, imports: [], problems: [] };
  for (const entry of entries) reached.exports[entry] = null;
  for (const part of parts) {
    if ("failure" in part) {
      reached.problems.push(...part.failure.map((message) => problemOf(message, name(message))));
      continue;
    }
    reached.paths.push(...Object.keys(part.metafile.inputs).map((path) => resolve(root, path)));
    reached.imports.push(...importsOf(part.warnings, name));
    const doubts = part.warnings.filter(({ pluginName, text }) => pluginName === PLUGIN && text !== PACKAGE);
    reached.problems.push(...doubts.map((message) => ({ ...problemOf(message, name(message)), optional: true })));
    for (const [file, names] of exportsOf(root, part)) {
      for (const [path, entry] of files) if (path === file) reached.exports[entry] = names;
    }
  }
  return {
    ...reached,
    paths: [...new Set(reached.paths)].filter((path) => existsSync(path)),
    imports: unique(reached.imports),
    problems: unique(reached.problems),
  };
}

type ReachBundle = BuildResult<{ metafile: true; write: false }>;

async function bundle(
  root: string,
  entryPoints: string[],
  installed: boolean,
): Promise<ReachBundle | { failure: CompilerMessage[] }> {
  try {
    return await esbuild().build({
      absWorkingDir: root,
      entryPoints,
      bundle: true,
      write: false,
      metafile: true,
      outdir: join(root, ".graphlib/reached"),
      format: "esm",
      platform: "node",
      target: "esnext",
      packages: "external",
      resolveExtensions: EXTENSIONS,
      loader: { ".node": "empty" },
      logLevel: "silent",
      logLimit: 0,
      plugins: [followRules(root, installed)],
    });
  } catch (error) {
    const failure = messagesOf(error);
    if (!failure) throw error;
    return { failure };
  }
}

function followRules(root: string, installed: boolean): Plugin {
  return {
    name: PLUGIN,
    setup(build) {
      build.onResolve({ filter: /.*/ }, async (args) => {
        if (args.kind === "entry-point" || args.pluginData === DELEGATED) return undefined;
        return await follow(build, args, root, installed);
      });
      build.onLoad({ filter: /.*/ }, ({ path }) => {
        const reason = whyNotRead(path, root);
        return reason === undefined ? undefined : { errors: [{ text: reason }] };
      });
    },
  };
}

async function follow(
  build: PluginBuild,
  args: OnResolveArgs,
  root: string,
  installed: boolean,
): Promise<OnResolveResult> {
  const specifier = args.path.startsWith("file:") ? fileURLToPath(args.path) : args.path;
  if (isBuiltin(specifier) || /^[a-z][a-z0-9+.-]+:/i.test(specifier)) return { path: args.path, external: true };
  const path = fileOf(specifier, args.importer);
  if (path !== undefined) return source(path, root);
  if (/^[.#/]/.test(specifier)) {
    const { kind, importer, resolveDir } = args;
    const found = await build.resolve(specifier, { kind, importer, resolveDir, pluginData: DELEGATED });
    if (found.errors.length === 0) return found.external ? external(found.path, args) : source(found.path, root);
    if (specifier.startsWith("#")) return { path: args.path, external: true };
    return missing(specifier, args);
  }
  if (!PACKAGE_NAME.test(nameOf(specifier))) return missing(specifier, args);
  if (!installed) return external(specifier, args);
  const linked = linkedSource(specifier, args);
  return linked === null
    ? unfollowed(specifier, args, root)
    : linked === undefined
      ? external(specifier, args)
      : source(linked, root);
}

/** Returns a file that the worker takes, before or after Node has looked for one. */
function fileOf(specifier: string, importer: string): string | undefined {
  const early = sources.early?.(specifier, importer);
  if (early !== undefined) return early;
  const path = pathOf(specifier, importer);
  return path === undefined || isFile(path) ? path : sources.late?.(specifier, importer);
}

/** Returns the file of a package that is a linked folder of the source. Null if the import leads to no file. */
function linkedSource(specifier: string, { importer, kind }: OnResolveArgs): string | undefined | null {
  try {
    const required = kind === "require-call" || kind === "require-resolve";
    const path = required
      ? createRequire(importer).resolve(specifier)
      : fileURLToPath(resolveImport(specifier, pathToFileURL(importer).href));
    const real = realpathSync(path);
    return real.includes(`${sep}node_modules${sep}`) ? undefined : real;
  } catch {
    return null;
  }
}

/** Reports packages of the source itself. What installed packages export is not the deployer's concern. */
function unfollowed(specifier: string, args: OnResolveArgs, root: string): OnResolveResult {
  const found = unbuiltPackage(nameOf(specifier), args.importer, root);
  if (!found) return external(specifier, args);
  const message = { text: found.text, detail: found };
  if (args.kind === "import-statement") return { errors: [message] };
  return { path: specifier, external: true, warnings: [message] };
}

function source(path: string, root: string): OnResolveResult {
  const reason = whyNotRead(path, root);
  return reason === undefined ? { path: realpathSync(path) } : { errors: [{ text: reason }] };
}

function missing(specifier: string, { kind }: OnResolveArgs): OnResolveResult {
  const message = { text: `There is no file ${JSON.stringify(specifier)} to import` };
  if (kind === "import-statement") return { errors: [message] };
  return { path: specifier, external: true, warnings: [message] };
}

/** A package's name. A path that is mapped to no file looks like a package, too: `@/agent`, `~/agent`. */
const PACKAGE_NAME = /^(?:@[\w.~-]+\/)?[\w.-][\w.~-]*$/;

/** Returns the package of a specifier: `@scope/name/sub/path` is of the package `@scope/name`. */
function nameOf(specifier: string): string {
  return /^(?:@[^/]*\/)?[^/]*/.exec(specifier)?.[0] ?? specifier;
}

function external(specifier: string, { kind }: OnResolveArgs): OnResolveResult {
  const name = nameOf(specifier);
  return {
    path: specifier,
    external: true,
    warnings: [{ text: PACKAGE, detail: { name, optional: kind !== "import-statement" } }],
  };
}

function whyNotRead(path: string, root: string): string | undefined {
  const real = realpathSync(path);
  if (real !== root && !real.startsWith(root + sep)) return "The file lies outside of the source";
  const { size } = statSync(real);
  return size > LARGEST_FILE ? `The file is larger than ${LARGEST_FILE / 1024 / 1024} MB` : undefined;
}

type SourceLocation = { file: string; line: number; column: number };
type NameOf = (message: CompilerMessage) => string;

/** Returns the location of a message, counted from 1; `file` is the file's name in reports. */
function locationOf(message: CompilerMessage, file: string): SourceLocation | undefined {
  if (!message.location) return undefined;
  const { line, column, lineText } = message.location;
  return { file, line, column: Buffer.from(lineText).subarray(0, column).toString().length + 1 };
}

export function problemOf(message: CompilerMessage, file: string): CompileReport["problems"][number] {
  // `unfollowed` sets this detail.
  const { fix } = (message.detail ?? {}) as Partial<UnbuiltPackage>;
  return { text: message.text, ...(fix !== undefined && { fix }), ...locationOf(message, file) };
}

/** Returns the name in reports of a file with an absolute path. */
export function fileName(folder: string, path: string): string {
  return relative(realpathSync(folder), path).replaceAll(sep, "/");
}

function importsOf(warnings: ReachBundle["warnings"], name: NameOf): CompileReport["imports"] {
  return warnings.flatMap((warning) => {
    const location = locationOf(warning, name(warning));
    // `external` sets this detail.
    const detail = warning.detail as { name: string; optional: boolean };
    return warning.text === PACKAGE && location ? { package: detail.name, optional: detail.optional, ...location } : [];
  });
}

/** Yields the exports of each entry. Null if it re-exports a package or CommonJS, whose names are not known yet. */
function* exportsOf(root: string, { metafile, outputFiles }: ReachBundle): Generator<[file: string, string[] | null]> {
  for (const [output, { entryPoint, exports }] of Object.entries(metafile.outputs)) {
    if (entryPoint === undefined) continue;
    const text = outputFiles.find(({ path }) => path === resolve(root, output))?.text ?? "";
    const isOpen = isCommonJs(metafile, entryPoint) || /^export \* from /m.test(text) || text.includes("__reExport(");
    yield [resolve(root, entryPoint), isOpen ? null : exports];
  }
}

function isCommonJs(metafile: Metafile, path: string): boolean {
  return metafile.inputs[path]?.format === "cjs";
}

function unique<T>(list: readonly T[]): T[] {
  return [...new Map(list.map((one) => [JSON.stringify(one), one])).values()];
}
