/** Describes failed imports between installed packages by name and version, because nobody can edit their files. */
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { isObject } from "../../protocol/json.ts";
import { requirers } from "./resolution.ts";

/** Returns the file that a specifier means for all importers, if it is decided apart from Node's own rules. */
export type FindShared = (specifier: string) => string | undefined;

interface BrokenImport {
  /** Describes what is wrong with the import, given the imported package in words. */
  text: (imported: string) => string;
  /** The specifier or the path of a file, as the message names it. */
  specifier: string;
  /** The path of the importing file. */
  importer?: string;
}

/**
 * Describes a failed import of an installed package; returns undefined for all other errors. `stackFile` is the file
 * that Node names in front of the stack.
 */
export function brokenImport(error: Error, stackFile: string | undefined, findShared: FindShared): string | undefined {
  const broken = readImport(error.message);
  const importer = broken?.importer ?? stackFile ?? requirers.get(error);
  const from = importer === undefined ? undefined : packageOf(importer);
  if (broken === undefined || importer === undefined || from === undefined) return undefined;
  const imported = importedFrom(broken.specifier, importer, findShared);
  return `${from.title} imports ${broken.text(imported?.title ?? broken.specifier)}`;
}

/** Returns name and version of the package that a specifier means for a file, or undefined if it cannot be found. */
export function importedTitle(error: Error, importer: string, findShared: FindShared): string | undefined {
  const specifier = readImport(error.message)?.specifier;
  return specifier === undefined ? undefined : importedFrom(specifier, importer, findShared)?.title;
}

/** Reads the messages in which Node reports a failed import. */
function readImport(message: string): BrokenImport | undefined {
  const named =
    /^The requested module '(?<module>[^']+)' does not provide an export named '(?<name>[^']+)'/.exec(message) ??
    /^Named export '(?<name>[^']+)' not found\. The requested module '(?<module>[^']+)'/.exec(message);
  if (named?.groups) {
    const { module = "", name } = named.groups;
    return {
      specifier: module,
      text: (imported) => `"${name}" from ${inWords(module, imported)}, which does not export it`,
    };
  }
  const [, part, manifest = "", importer] =
    /^(?:Package subpath '\.\/([^']+)' is not defined by|No) "exports" (?:main defined )?in (.+?package\.json)(?: imported from (.+))?$/.exec(
      message,
    ) ?? [];
  if (manifest !== "") {
    const what = part === undefined ? "the main module" : `"${part}"`;
    return {
      specifier: dirname(manifest),
      importer,
      text: (imported) => `${what} of ${imported}, which does not export it`,
    };
  }
  const [, path = "", asking] =
    /^Cannot find module '(\/[^']*\/node_modules\/[^']+)' imported from (.+)$/.exec(message) ?? [];
  if (path === "") return undefined;
  const owner = packageOf(path);
  const file = owner === undefined ? path : relative(owner.folder, path);
  return { specifier: path, importer: asking, text: (imported) => `${file} of ${imported}, which has no such file` };
}

/** Returns `b@1.0.0 ("b/sub")` for a part of a package, which is named by its specifier. */
function inWords(specifier: string, imported: string): string {
  return imported.startsWith(`${specifier}@`) || imported === specifier ? imported : `${imported} ("${specifier}")`;
}

interface InstalledPackage {
  folder: string;
  /** The text `name@version`. */
  title: string;
}

function importedFrom(specifier: string, importer: string, findShared: FindShared): InstalledPackage | undefined {
  if (specifier.startsWith(".")) return packageOf(importer);
  if (specifier.startsWith("/")) return packageOf(join(specifier, "package.json"));
  const shared = findShared(specifier);
  if (shared !== undefined) return packageOf(shared);
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  for (let folder = dirname(asPath(importer)); ; folder = dirname(folder)) {
    const found = packageIn(join(folder, "node_modules", name));
    if (found || dirname(folder) === folder) return found;
  }
}

/** Returns the installed package that a file belongs to. */
function packageOf(file: string): InstalledPackage | undefined {
  const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(asPath(file))?.[0];
  return folder === undefined ? undefined : packageIn(folder);
}

/** Returns undefined if there is no package, or none that may be read. */
function packageIn(folder: string): InstalledPackage | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    if (!isObject(manifest) || typeof manifest.name !== "string") return undefined;
    const version = typeof manifest.version === "string" ? `@${manifest.version}` : "";
    return { folder, title: `${manifest.name}${version}` };
  } catch {
    return undefined;
  }
}

function asPath(file: string): string {
  return file.startsWith("file:") ? fileURLToPath(file) : file;
}
