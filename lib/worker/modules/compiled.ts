/** Stores and finds JavaScript that a build has compiled ahead, so that a worker starts without a compiler. */
import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isObject } from "../../protocol/json.ts";
import type { CompiledFile } from "./compiler.ts";

/** Returns the JavaScript of a file if the file still has the text that was compiled. */
export type CompiledAhead = (path: string, source: string) => CompiledFile | undefined;

interface Entry {
  /** The hash of the source's text. */
  hash: string;
  format: CompiledFile["format"];
  /** The name of the file that holds the JavaScript. */
  output: string;
}

const MANIFEST = "manifest.json";

/** Opens a folder that `writeCompiled` made; returns undefined if there is none. */
export function readCompiled(folder: string): CompiledAhead | undefined {
  if (!existsSync(join(folder, MANIFEST))) return undefined;
  const root = realpathSync(folder);
  const manifest: unknown = JSON.parse(readFileSync(join(root, MANIFEST), "utf8"));
  const entries = new Map(Object.entries(isObject(manifest) ? manifest : {}));
  return (path, source) => {
    const entry = entries.get(relative(root, path));
    if (!isEntry(entry) || entry.hash !== hashOf(source)) return undefined;
    return { format: entry.format, source: readFileSync(join(root, entry.output), "utf8") };
  };
}

/** Stores compiled files. Sources are keyed by their paths from the folder, so that both may be moved together. */
export function writeCompiled(
  folder: string,
  files: Iterable<{ path: string; source: string; compiled: CompiledFile }>,
): number {
  mkdirSync(folder, { recursive: true });
  const root = realpathSync(folder);
  const manifest: Record<string, Entry> = {};
  for (const { path, source, compiled } of files) {
    const key = relative(root, path);
    const output = `${hashOf(key).slice(0, 32)}.js`;
    writeFileSync(join(root, output), compiled.source);
    manifest[key] = { hash: hashOf(source), format: compiled.format, output };
  }
  // The manifest comes last, because without it the other files do not count.
  writeFileSync(join(root, MANIFEST), JSON.stringify(manifest));
  return Object.keys(manifest).length;
}

function isEntry(value: unknown): value is Entry {
  return (
    isObject(value) &&
    typeof value.hash === "string" &&
    typeof value.output === "string" &&
    dirname(value.output) === "." &&
    (value.format === "module" || value.format === "commonjs")
  );
}

function hashOf(text: string): string {
  return hash("sha256", text, "hex");
}
