/** The settings of a `tsconfig.json` that change what code means: paths, decorators, class fields, JSX. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isObject, type JsonObject } from "../../protocol/json.ts";

export interface TsConfig {
  readonly compilerOptions: JsonObject;
  /** Returns the files that an import may mean by the configuration's `paths`, in the order in which to try them. */
  mapped(specifier: string): string[];
}

interface TsSettings {
  options: JsonObject;
  /** The folder to which the targets of `paths` are relative. */
  base: string;
  baseUrl?: string;
}

const NOTHING: TsConfig = { compilerOptions: {}, mapped: () => [] };
const nearest = new Map<string, TsConfig>();
let top: string | undefined;
/** Set while a file is read. It may extend a package, which is found without these settings. */
let reading = false;

/** Ends the search for `tsconfig.json` in this thread at a source's root: folders above are not the application's. */
export function endTsConfigsAt(root: string): void {
  top = realpathSync(root);
  nearest.clear();
}

/** Returns the configuration of the nearest folder upwards that has one. */
export function tsConfigFor(folder: string): TsConfig {
  const known = nearest.get(folder);
  if (known) return known;
  if (reading) return NOTHING;
  const file = join(folder, "tsconfig.json");
  const above = dirname(folder);
  let config: TsConfig;
  if (existsSync(file)) config = toTsConfig(readAlone(file));
  else config = folder === top || above === folder ? NOTHING : tsConfigFor(above);
  nearest.set(folder, config);
  return config;
}

/** Reads settings without recursion: resolving a package asks for the settings of the file that names it. */
function readAlone(file: string): TsSettings {
  reading = true;
  try {
    return readSettings(file, []);
  } finally {
    reading = false;
  }
}

function toTsConfig({ options, base, baseUrl }: TsSettings): TsConfig {
  const patterns = isObject(options.paths) ? Object.entries(options.paths).map(toPattern).toSorted(byLength) : [];
  return {
    compilerOptions: options,
    mapped(specifier) {
      const hit = patterns.find((pattern) => pattern.matches(specifier));
      if (hit) return hit.targets(specifier).map((target) => resolve(base, target));
      return baseUrl === undefined ? [] : [resolve(baseUrl, specifier)];
    },
  };
}

interface PathPattern {
  prefix: string;
  matches(specifier: string): boolean;
  targets(specifier: string): string[];
}

/** Reads a pattern with at most one `*` on either side. What it matches on the left is inserted on the right. */
function toPattern([pattern, targets]: [string, unknown]): PathPattern {
  const star = pattern.indexOf("*");
  const prefix = star < 0 ? pattern : pattern.slice(0, star);
  const suffix = star < 0 ? "" : pattern.slice(star + 1);
  const list = Array.isArray(targets) ? targets.map(String) : [];
  return {
    prefix,
    matches: (specifier) =>
      star < 0
        ? specifier === pattern
        : specifier.length >= prefix.length + suffix.length &&
          specifier.startsWith(prefix) &&
          specifier.endsWith(suffix),
    targets(specifier) {
      const rest = specifier.slice(prefix.length, specifier.length - suffix.length);
      return star < 0 ? list : list.map((target) => target.replace("*", () => rest));
    },
  };
}

/** Puts the longest prefix first. */
function byLength(a: PathPattern, b: PathPattern): number {
  return b.prefix.length - a.prefix.length;
}

/** Reads a file on top of the files that it extends. A file that cannot be read has no settings. */
function readSettings(file: string, path: readonly string[]): TsSettings {
  const folder = dirname(file);
  const config = path.includes(file) ? {} : readJsonc(file);
  const parents = [config.extends ?? []].flat().filter((parent) => typeof parent === "string");
  const inherited = parents
    .map((parent) => extendedFile(parent, folder))
    .filter((parent) => parent !== undefined)
    .map((parent) => readSettings(parent, [...path, file]));
  const own = isObject(config.compilerOptions) ? config.compilerOptions : {};
  const baseUrl =
    typeof own.baseUrl === "string"
      ? resolve(folder, own.baseUrl)
      : inherited.findLast((below) => below.baseUrl)?.baseUrl;
  const pathsFrom = own.paths ? folder : (inherited.findLast((below) => below.options.paths)?.base ?? folder);
  return {
    options: Object.fromEntries([...inherited.map((below) => below.options), own].flatMap(Object.entries)),
    base: baseUrl ?? pathsFrom,
    baseUrl,
  };
}

function extendedFile(name: string, folder: string): string | undefined {
  if (!name.startsWith(".") && !isAbsolute(name)) {
    const require = createRequire(join(folder, "tsconfig.json"));
    return [name, `${name}.json`, `${name}/tsconfig.json`]
      .map((id) => resolved(require, id))
      .find((id) => id !== undefined);
  }
  const path = resolve(folder, name);
  return [path, `${path}.json`, join(path, "tsconfig.json")].find((file) => file.endsWith(".json") && existsSync(file));
}

function resolved(require: NodeJS.Require, id: string): string | undefined {
  try {
    const file = require.resolve(id);
    return file.endsWith(".json") ? file : undefined;
  } catch {
    return undefined;
  }
}

const STRING_OR_COMMENT = /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[^]*?\*\//g;
const STRING_OR_TRAILING_COMMA = /("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g;

function readJsonc(file: string): JsonObject {
  try {
    const keepStrings = (_: string, text?: string) => text ?? "";
    const json = readFileSync(file, "utf8")
      .replace(/^\uFEFF/, "")
      .replace(STRING_OR_COMMENT, keepStrings)
      .replace(STRING_OR_TRAILING_COMMA, keepStrings);
    const config: unknown = JSON.parse(json);
    return isObject(config) ? config : {};
  } catch {
    return {};
  }
}
