/**
 * Finds where functions of the application are written, by their text: V8 returns the exact text of a function, and the
 * files that were loaded are searched for it. Node's inspector would tell the place directly, but it needs a permission that
 * the code of deployments does not have, and it slows the process down.
 */
import { SourceMap, type SourceMapPayload } from "node:module";
import { relative, sep } from "node:path";
import { isObject, parseJson } from "../../protocol/json.ts";
import type { SourcePlace } from "../../protocol/node-info.ts";
import type { LoadedSource } from "../modules/typescript.ts";

const LONGEST_FUNCTION = 200_000;
const MOST_FILES = 500;
/** The number of characters of sources that are searched, and of searching altogether. */
const MOST_TEXT = 4_000_000;
const MOST_SEARCHED = 200_000_000;
const MOST_KNOWN = 2000;

interface Searched {
  file: string;
  text: string;
  map: SourceMap | undefined;
}

/** Creates a finder. A function is found if its text stands in exactly one place of the application's own files. */
export function createSourceFinder(folder: string, loaded: () => readonly LoadedSource[]) {
  const known = new Map<string, SourcePlace | undefined>();
  // The next question comes soon or never, so the garbage collector decides how long the texts are kept.
  let kept: { count: number; files: WeakRef<Searched[]> } | undefined;
  const filesNow = (): Searched[] => {
    const sources = loaded();
    const same = kept?.count === sources.length ? kept.files.deref() : undefined;
    const files = same ?? readFiles(folder, sources);
    kept = { count: sources.length, files: new WeakRef(files) };
    return files;
  };
  return (): ((code: unknown) => SourcePlace | undefined) => {
    let files: Searched[] | undefined;
    let left = MOST_SEARCHED;
    return (code) => {
      const text = textOf(code);
      if (text === undefined) return undefined;
      if (known.has(text)) return known.get(text);
      files ??= filesNow();
      left -= files.reduce((sum, file) => sum + file.text.length, 0);
      if (left < 0) return undefined;
      const place = findOnce(files, text);
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(text, place);
      return place;
    };
  };
}

function textOf(code: unknown): string | undefined {
  if (typeof code !== "function") return undefined;
  const text = Function.prototype.toString.call(code);
  return text.length > LONGEST_FUNCTION || text.endsWith("{ [native code] }") ? undefined : text;
}

function readFiles(folder: string, loaded: readonly LoadedSource[]): Searched[] {
  const files: Searched[] = [];
  let left = MOST_TEXT;
  for (const { path, read } of loaded.slice(0, MOST_FILES)) {
    const file = relative(folder, path).split(sep).join("/");
    if (file.startsWith("../") || file.startsWith("/") || /(?:^|\/)(?:node_modules|\.graphlib)\//.test(file)) continue;
    try {
      const text = read();
      left -= text.length;
      if (left < 0) break;
      files.push({ file, text, map: sourceMapIn(text) });
    } catch {
      // The file is gone, or does not compile any more.
    }
  }
  return files;
}

const INLINE_MAP = /^\/\/# sourceMappingURL=data:application\/json;(?:charset=utf-8;)?base64,(.+)$/m;

function sourceMapIn(text: string): SourceMap | undefined {
  const at = text.lastIndexOf("\n//# sourceMappingURL=data:");
  const encoded = at < 0 ? undefined : INLINE_MAP.exec(text.slice(at + 1))?.[1];
  const payload = encoded === undefined ? undefined : parseJson(Buffer.from(encoded, "base64").toString("utf8"));
  return isPayload(payload) ? new SourceMap(payload) : undefined;
}

/** esbuild wrote it, so that these members tell it is a source map of one file. */
function isPayload(value: unknown): value is SourceMapPayload {
  return isObject(value) && value.version === 3 && typeof value.mappings === "string" && Array.isArray(value.sources);
}

function findOnce(files: readonly Searched[], text: string): SourcePlace | undefined {
  let found: SourcePlace | undefined;
  for (const { file, text: source, map } of files) {
    const at = source.indexOf(text);
    if (at < 0) continue;
    if (found || source.includes(text, at + 1)) return undefined;
    const line = lineOf(source, at, map);
    if (line === undefined) return undefined;
    found = { file, line };
  }
  return found;
}

function lineOf(source: string, at: number, map: SourceMap | undefined): number | undefined {
  const before = source.slice(0, at);
  const line = before.split("\n").length - 1;
  if (!map) return line + 1;
  const entry: { originalLine?: number } = map.findEntry(line, at - (before.lastIndexOf("\n") + 1));
  return entry.originalLine === undefined ? undefined : entry.originalLine + 1;
}
