/**
 * Ensures exactly one copy of LangGraph in the process, the application's own: two copies break `instanceof`,
 * `interrupt()` and the async context. Each import and each require of these packages gets the same ES modules.
 */
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { resolve as resolveImport } from "import-meta-resolve";
import type { Resolver } from "./resolution.ts";

const LANGGRAPH = "@langchain/langgraph";
const SHARED = /^@langchain\/(?:langgraph|langgraph-checkpoint|core)(?:\/|$)/;
/** Packages that a bare folder without packages may import besides LangGraph: state schemas are written with them. */
const EXTRA = /^zod(?:\/|$)/;

export interface SharedPackages extends Resolver {
  /** Returns the path of a module of the shared copy. */
  resolve(specifier: string): string;
}

/** Looks the copy up in `folders`, in order. The last resort is this project's own copy. */
export function sharedPackages(folders: readonly string[]): SharedPackages {
  const parents = folders.map((folder) => pathToFileURL(`${folder}/application.js`).href);
  const owner = parents.find((parent) => find(LANGGRAPH, parent) !== undefined);
  const anchor = owner ?? import.meta.url;
  // Strict installers show the application only the packages that it lists. LangGraph itself sees its companions.
  const langgraph = find(LANGGRAPH, anchor);
  const anchors = langgraph === undefined ? [anchor] : [anchor, pathToFileURL(langgraph).href];

  const known = new Map<string, string | undefined>();
  const early = (specifier: string): string | undefined => {
    if (!SHARED.test(specifier)) return undefined;
    if (!known.has(specifier)) known.set(specifier, findFrom(anchors, specifier));
    return known.get(specifier);
  };
  return {
    early,
    late: (specifier) => (owner === undefined && EXTRA.test(specifier) ? find(specifier, import.meta.url) : undefined),
    resolve(specifier) {
      const path = early(specifier);
      if (path === undefined) throw new Error(`There is no ${specifier}`);
      return path;
    },
  };
}

function findFrom(anchors: readonly string[], specifier: string): string | undefined {
  for (const anchor of anchors) {
    const path = find(specifier, anchor);
    if (path !== undefined) return path;
  }
  return undefined;
}

/** Resolves with the conditions of an import. Those of a require lead to other files, which are a second copy. */
function find(specifier: string, parent: string): string | undefined {
  try {
    const path = fileURLToPath(resolveImport(specifier, parent));
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
