/**
 * Loads the application's TypeScript, with what TypeScript authors expect: enums, decorators, JSX, imports without an
 * extension or with the one of the output, `paths`, JSON. `tsx` would read and rewrite every package on the way: it
 * takes 1,200 ms from spawn to a loaded LangGraph, against 400 ms here.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { isBuiltin, type LoadFnOutput, type LoadHookContext } from "node:module";
import { dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { CompiledAhead } from "./compiled.ts";
import { asSyntaxError, type CompiledFile, compileSource, needsCompiling, syntaxErrorIn } from "./compiler.ts";
import type { Resolver } from "./resolution.ts";
import { tsConfigFor } from "./tsconfig.ts";

export const EXTENSIONS = [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx", ".json"];
/** The extensions of the sources that the extension of an output may stand for. */
const SOURCES_OF: Record<string, string[]> = {
  ".js": [".ts", ".tsx"],
  ".jsx": [".tsx"],
  ".mjs": [".mts"],
  ".cjs": [".cts"],
};
/** The application's JavaScript files, which Node reads as they are. */
const scripts = new Set<string>();
/** The application's files that were compiled. */
const compiledFiles = new Map<string, CompiledAhead | undefined>();

/** A file of the application whose code runs in this process. */
export interface LoadedSource {
  path: string;
  /** Returns the JavaScript that runs, as far as the file is still the same. Throws if it cannot be read. */
  read(): string;
}

/** Returns the files that were loaded so far; none if their loader has a thread of its own. */
export function loadedSources(): LoadedSource[] {
  const compiled = [...compiledFiles].map(([path, ahead]) => ({ path, read: () => compileFile(path, ahead).source }));
  return [...compiled, ...[...scripts].map((path) => ({ path, read: () => readFileSync(path, "utf8") }))];
}

/** Returns the source of a file that Node does not load as it is; undefined for others. */
export function loadSource(url: string, context: LoadHookContext, ahead?: CompiledAhead): LoadFnOutput | undefined {
  if (!url.startsWith("file:")) return undefined;
  const { pathname } = new URL(url);
  if (needsCompiling(pathname)) return { ...compileFile(fileURLToPath(url), ahead), shortCircuit: true };
  if (extname(pathname) === ".json" && isPlainImport(context)) return jsonModule(fileURLToPath(url));
  if (!url.includes("/node_modules/")) scripts.add(fileURLToPath(url));
  return undefined;
}

/** Resolves imports in files that people wrote, and not in installed packages. */
export const sources: Resolver = {
  early(specifier, parent) {
    if (isInstalled(parent) || isBuiltin(specifier) || /^(?:#|file:|data:)/.test(specifier)) return undefined;
    const path = pathOf(specifier, parent);
    if (path === undefined) return mappedFile(specifier, parent);
    return needsCompiling(parent) ? sourceOf(path) : undefined;
  },
  late(specifier, parent) {
    const path = isInstalled(parent) ? undefined : pathOf(specifier, parent);
    return path === undefined ? undefined : sourceOf(path, true);
  },
};

function isInstalled(path: string): boolean {
  return path.includes("/node_modules/");
}

/** Returns the path of a relative or an absolute specifier; undefined for others. */
export function pathOf(specifier: string, parent: string): string | undefined {
  if (!/^(?:\.{0,2}\/|\.{1,2}$)/.test(specifier)) return undefined;
  return resolve(dirname(parent), specifier.replace(/[?#].*$/, ""));
}

function mappedFile(specifier: string, parent: string): string | undefined {
  for (const path of tsConfigFor(dirname(parent)).mapped(specifier)) {
    const file = isFile(path) ? path : sourceOf(path, true);
    if (file) return file;
  }
  return undefined;
}

/** Returns the TypeScript file of an output's name. `guess` also tries files and folders without an extension. */
function sourceOf(path: string, guess = false): string | undefined {
  const extension = extname(path);
  const stem = path.slice(0, path.length - extension.length);
  const candidates = (SOURCES_OF[extension] ?? []).map((source) => stem + source);
  if (guess) {
    candidates.push(...EXTENSIONS.map((added) => path + added));
    candidates.push(...EXTENSIONS.map((added) => join(path, `index${added}`)));
  }
  return candidates.find(isFile);
}

export function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** Returns the JavaScript of a file that Node cannot read. */
export function compileFile(path: string, ahead: CompiledAhead | undefined): CompiledFile {
  const source = readFileSync(path, "utf8");
  if (!isInstalled(path)) compiledFiles.set(path, ahead);
  try {
    return ahead?.(path, source) ?? compileSource(path, source);
  } catch (error) {
    throw asSyntaxError(error, path);
  }
}

/** Returns the first syntax error in a script, with its location. */
export function findSyntaxError(): unknown {
  for (const path of scripts) {
    const error = /\.[cm]?js$/.test(path) ? syntaxErrorIn(path, readFileSync(path, "utf8")) : undefined;
    if (error !== undefined) return error;
  }
  return undefined;
}

/** Returns whether JSON is imported without `with { type: "json" }`, which Node would refuse. */
function isPlainImport(context: LoadHookContext): boolean {
  // Either member may be missing, although their types say otherwise.
  const { importAttributes: attributes, conditions }: Partial<LoadHookContext> = context;
  return attributes !== undefined && attributes.type === undefined && !(conditions ?? []).includes("require");
}

function jsonModule(path: string): LoadFnOutput {
  const text = readFileSync(path, "utf8");
  return { format: "module", source: `export default JSON.parse(${JSON.stringify(text)});`, shortCircuit: true };
}
