/** Says which file an import or a require means, before Node looks for it and after it has found nothing. */
import { Module, registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

export interface Resolver {
  /** `parent` is the path of the asking file. Returns a path. */
  early?(specifier: string, parent: string): string | undefined;
  late?(specifier: string, parent: string): string | undefined;
}

/** The part of Node's CommonJS loader that every `require` goes through. */
interface CommonJsLoader {
  _resolveFilename(specifier: string, parent: { filename?: string | null } | undefined, ...rest: unknown[]): string;
}

const NOT_FOUND = new Set(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND", "ERR_UNSUPPORTED_DIR_IMPORT"]);

/**
 * Earlier resolvers win. `require` is caught below the hooks, because a CommonJS module that was imported asks there and
 * not at the hooks as soon as any hook loads sources (seen with Node 24.9: it got a second copy of LangGraph).
 */
export function installResolvers(resolvers: readonly Resolver[]): void {
  registerHooks({
    resolve(specifier, context, next) {
      const parent = context.parentURL;
      if (!parent?.startsWith("file:") || context.conditions.includes("require")) return next(specifier, context);
      return decide(resolvers, specifier, fileURLToPath(parent), (path) =>
        next(path === undefined ? specifier : pathToFileURL(path).href, context),
      );
    },
  });

  const loader = commonJsLoader();
  const original = loader._resolveFilename;
  loader._resolveFilename = function _resolveFilename(specifier, parent, ...rest) {
    const ask = (path: string | undefined) => original.call(this, path ?? specifier, parent, ...rest);
    return parent?.filename ? decide(resolvers, specifier, parent.filename, ask) : ask(undefined);
  };
}

function decide<T>(resolvers: readonly Resolver[], specifier: string, parent: string, ask: (path?: string) => T): T {
  for (const { early } of resolvers) {
    const path = early?.(specifier, parent);
    if (path !== undefined) return ask(path);
  }
  try {
    return ask();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    for (const { late } of resolvers) {
      const path = late?.(specifier, parent);
      if (path !== undefined) return ask(path);
    }
    throw error;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && NOT_FOUND.has(error.code);
}

/** Not in the types of Node, but documented as what people patch, and kept for them. */
function commonJsLoader(): CommonJsLoader {
  return Module as unknown as CommonJsLoader;
}
