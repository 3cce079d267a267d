/**
 * Loads the application's TypeScript, with what TypeScript authors are used to: enums, decorators, JSX, imports without
 * an extension or with the one of the output, `paths`, JSON. Hooks of Node in this very thread around esbuild, because
 * `tsx` reads and rewrites every package on the way: 1,200 ms from spawn to a loaded LangGraph, against 400 ms here.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import {
  createRequire,
  isBuiltin,
  registerHooks,
  setSourceMapsSupport,
  type LoadFnOutput,
  type LoadHookContext,
} from "node:module";
import { dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Resolver } from "./resolution.ts";
import { tsConfigFor } from "./tsconfig.ts";

const LOADERS = new Map([
  [".ts", "ts"],
  [".mts", "ts"],
  [".cts", "ts"],
  [".tsx", "tsx"],
  [".jsx", "jsx"],
]);
const EXTENSIONS = [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx", ".json"];
/** What an import names when it means the output of a file. */
const SOURCES_OF: Record<string, string[]> = {
  ".js": [".ts", ".tsx"],
  ".jsx": [".tsx"],
  ".mjs": [".mts"],
  ".cjs": [".cts"],
};
interface Esbuild {
  transformSync(source: string, options: object): { code: string };
  stop(): Promise<void>;
}

let loaded: Esbuild | undefined;
/** The application's JavaScript, which Node reads as it is. */
const scripts = new Set<string>();

/** Only when there is TypeScript to compile: 9 ms to load, 45 ms for the first file, 1 ms for others. */
function esbuild(): Esbuild {
  const require: (id: string) => Esbuild = createRequire(import.meta.url);
  loaded ??= require("esbuild");
  return loaded;
}

/** Ends esbuild's process and thread until another file needs compiling. */
export async function restCompiler(): Promise<void> {
  await loaded?.stop();
}

/** Compiles what is loaded from here on. */
export function compileTypeScript(): void {
  setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith("file:")) return next(url, context);
      const extension = extname(new URL(url).pathname);
      const loader = LOADERS.get(extension);
      if (loader) return compile(fileURLToPath(url), loader);
      if (extension === ".json" && isPlainImport(context)) return jsonModule(fileURLToPath(url));
      if (!url.includes("/node_modules/")) scripts.add(fileURLToPath(url));
      return next(url, context);
    },
  });
}

/** For files that people wrote, not for installed packages. */
export const sources: Resolver = {
  early(specifier, parent) {
    if (isInstalled(parent) || isBuiltin(specifier) || /^(?:#|file:|data:)/.test(specifier)) return undefined;
    const path = pathOf(specifier, parent);
    if (path === undefined) return mappedFile(specifier, parent);
    return LOADERS.has(extname(parent)) ? sourceOf(path) : undefined;
  },
  late(specifier, parent) {
    const path = isInstalled(parent) ? undefined : pathOf(specifier, parent);
    return path === undefined ? undefined : sourceOf(path, true);
  },
};

function isInstalled(path: string): boolean {
  return path.includes("/node_modules/");
}

function pathOf(specifier: string, parent: string): string | undefined {
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

/** The TypeScript file that is meant by the name of its output; with `guess` also files and folders without extension. */
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

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

const ESM_SYNTAX = /^\s*(?:import\s*["'{*]|import\s+[\w$]|export\s*[{*]|export\s+[\w$]|.*\bimport\.meta\b)/m;
const CJS_SYNTAX = /^\s*(?:export\s*=|(?:export\s+)?import\s+[\w$]+\s*=\s*require\b)/m;

function compile(path: string, loader: string): LoadFnOutput {
  const source = readFileSync(path, "utf8");
  const isModule =
    path.endsWith(".mts") || (ESM_SYNTAX.test(source) && !CJS_SYNTAX.test(source) && !path.endsWith(".cts"));
  const { compilerOptions } = tsConfigFor(dirname(path));
  try {
    const { code } = esbuild().transformSync(source, {
      loader,
      format: isModule ? "esm" : "cjs",
      platform: "node",
      target: `node${process.versions.node}`,
      sourcefile: path,
      sourcemap: "inline",
      sourcesContent: false,
      logLevel: "silent",
      jsx: compilerOptions.jsx ? undefined : "automatic",
      // Authors who think of CommonJS find its names in a module, too.
      define: isModule ? { __dirname: "import.meta.dirname", __filename: "import.meta.filename" } : {},
      banner: isModule && /\brequire\b/.test(source) ? REQUIRE : undefined,
      tsconfigRaw: { compilerOptions: { ...compilerOptions, paths: undefined, baseUrl: undefined } },
    });
    return { format: isModule ? "module" : "commonjs", source: code, shortCircuit: true };
  } catch (error) {
    throw asSyntaxError(error, path);
  }
}

/** Node says of a syntax error in JavaScript what, but not where; esbuild does. */
export function findSyntaxError(): unknown {
  for (const path of scripts) {
    if (!/\.[cm]?js$/.test(path)) continue;
    try {
      esbuild().transformSync(readFileSync(path, "utf8"), { loader: "js", logLevel: "silent" });
    } catch (error) {
      return asSyntaxError(error, path);
    }
  }
  return undefined;
}

const REQUIRE = `import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);`;

interface EsbuildMessage {
  text: string;
  location: { line: number; column: number; lineText: string } | null;
}

function asSyntaxError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !("errors" in error) || !Array.isArray(error.errors)) return error;
  const first = (error.errors as EsbuildMessage[]).at(0);
  if (!first) return error;
  const place = first.location ? `${path}:${first.location.line}:${first.location.column + 1}` : path;
  const line = first.location ? `\n  ${first.location.lineText.trim()}` : "";
  return new SyntaxError(`${place}: ${first.text}${line}`);
}

/** JSON that is imported without `with { type: "json" }`, which Node would refuse. */
function isPlainImport(context: LoadHookContext): boolean {
  const attributes: LoadHookContext["importAttributes"] | undefined = context.importAttributes;
  return attributes !== undefined && attributes.type === undefined && !context.conditions.includes("require");
}

function jsonModule(path: string): LoadFnOutput {
  const text = readFileSync(path, "utf8");
  return { format: "module", source: `export default JSON.parse(${JSON.stringify(text)});`, shortCircuit: true };
}
