/** Compiles one file to JavaScript, in the same way when an application is built and when its worker loads it. */
import { createRequire } from "node:module";
import { basename, dirname, extname } from "node:path";
import { tsConfigFor } from "./tsconfig.ts";

type Esbuild = typeof import("esbuild");

const LOADERS = new Map<string, "ts" | "tsx" | "jsx">([
  [".ts", "ts"],
  [".mts", "ts"],
  [".cts", "ts"],
  [".tsx", "tsx"],
  [".jsx", "jsx"],
]);

export const compiledExtensions: readonly string[] = [...LOADERS.keys()];

export interface CompiledFile {
  format: "module" | "commonjs";
  source: string;
}

let loaded: Esbuild | undefined;

/** Loads esbuild when there is something to compile: 9 ms to load, 45 ms for the first file, 1 ms for others. */
export function esbuild(): Esbuild {
  const require: (id: string) => Esbuild = createRequire(import.meta.url);
  loaded ??= require("esbuild");
  return loaded;
}

/** Ends esbuild's process and thread until another file needs compiling. */
export async function stopCompiler(): Promise<void> {
  await loaded?.stop();
}

/** Returns whether Node cannot read the file as it is. */
export function needsCompiling(path: string): boolean {
  return LOADERS.has(extname(path));
}

const ESM_SYNTAX = /^\s*(?:import\s*["'{*]|import\s+[\w$]|export\s*[{*]|export\s+[\w$]|.*\bimport\.meta\b)/m;
const CJS_SYNTAX = /^\s*(?:export\s*=|(?:export\s+)?import\s+[\w$]+\s*=\s*require\b)/m;
const REQUIRE = `import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);`;

/** Compiles a source for the version `node`. Throws esbuild's own error for a syntax error. */
export function compileSource(path: string, source: string, node: string = process.versions.node): CompiledFile {
  const extension = extname(path);
  const isModule =
    extension === ".mts" || (extension !== ".cts" && ESM_SYNTAX.test(source) && !CJS_SYNTAX.test(source));
  const { compilerOptions } = tsConfigFor(dirname(path));
  const { code } = esbuild().transformSync(source, {
    loader: LOADERS.get(extension),
    format: isModule ? "esm" : "cjs",
    platform: "node",
    target: `node${node}`,
    // The source map names no folder, so that source and output may be moved together.
    sourcefile: basename(path),
    sourcemap: "inline",
    sourcesContent: false,
    logLevel: "silent",
    jsx: compilerOptions.jsx ? undefined : "automatic",
    // Authors who are used to CommonJS may use its names in a module, too.
    define: isModule ? { __dirname: "import.meta.dirname", __filename: "import.meta.filename" } : {},
    banner: isModule && /\brequire\b/.test(source) ? REQUIRE : undefined,
    tsconfigRaw: { compilerOptions: { ...compilerOptions, paths: undefined, baseUrl: undefined } },
  });
  return { format: isModule ? "module" : "commonjs", source: code };
}

/** Returns the syntax error of a script, if any. Node reports what is wrong but not where; esbuild reports both. */
export function syntaxErrorIn(path: string, source: string): unknown {
  try {
    esbuild().transformSync(source, { loader: "js", logLevel: "silent" });
    return undefined;
  } catch (error) {
    return messagesOf(error) && asSyntaxError(error, path);
  }
}

export interface CompilerMessage {
  text: string;
  /** `column` in bytes, from 0. */
  location: { file: string; line: number; column: number; lineText: string } | null;
  /** The data that a plugin attached to the message. */
  detail?: unknown;
}

/** Returns what esbuild reports of code, or undefined if something else was thrown. */
export function messagesOf(error: unknown): CompilerMessage[] | undefined {
  // Only esbuild throws such errors, and these are their members.
  if (error instanceof Error && "errors" in error && Array.isArray(error.errors))
    return error.errors as CompilerMessage[];
  return undefined;
}

/** Returns a syntax error with its location in the message, as Node reports it for scripts. */
export function asSyntaxError(error: unknown, path: string): unknown {
  const first = messagesOf(error)?.[0];
  if (!first) return error;
  const location = first.location ? `${path}:${first.location.line}:${first.location.column + 1}` : path;
  const line = first.location ? `\n  ${first.location.lineText.trim()}` : "";
  return new SyntaxError(`${location}: ${first.text}${line}`);
}
