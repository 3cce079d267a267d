/** Decides which file an import or a require means, before Node looks for it and after it has found nothing. */
import { Module, type ResolveFnOutput, type ResolveHookContext } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

export interface Resolver {
  /** Both methods return a path. `parent` is the path of the importing file. */
  early?(specifier: string, parent: string): string | undefined;
  late?(specifier: string, parent: string): string | undefined;
}

/** The part of Node's CommonJS loader that every `require` goes through. */
interface CommonJsLoader {
  _resolveFilename(specifier: string, parent: { filename?: string | null } | undefined, ...rest: unknown[]): string;
  /** The functions that read files, by extension. */
  _extensions: Record<
    string,
    (module: { _compile(source: string, path: string, format: string): void }, path: string) => void
  >;
}

const NOT_FOUND = new Set(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND", "ERR_UNSUPPORTED_DIR_IMPORT"]);

/** Handles the failure of an attempt: at once, or when a promise rejects. */
export type Recover<R> = (attempt: () => R, otherwise: (error: unknown) => R) => R;

export const recoverNow = <R>(attempt: () => R, otherwise: (error: unknown) => R): R => {
  try {
    return attempt();
  } catch (error) {
    return otherwise(error);
  }
};

/** Answers a hook of Node's for an import. Earlier resolvers win. */
export function resolveImports<R extends ResolveFnOutput | Promise<ResolveFnOutput>>(
  resolvers: readonly Resolver[],
  recover: Recover<R>,
  specifier: string,
  context: ResolveHookContext,
  next: (specifier: string, context: ResolveHookContext) => R,
): R {
  const parent = context.parentURL;
  if (!parent?.startsWith("file:") || context.conditions.includes("require")) return next(specifier, context);
  return decide(resolvers, recover, specifier, fileURLToPath(parent), (path) =>
    next(path === undefined ? specifier : pathToFileURL(path).href, context),
  );
}

/** The path of the file whose `require` failed, by error. Node names it at most in a stack, which is truncated. */
export const requirers = new WeakMap<Error, string>();

/**
 * Patches `require` below the hooks. A CommonJS module that was imported resolves there and not at the hooks as soon as
 * any hook loads sources (seen with Node 24.9: it got a second copy of LangGraph).
 */
export function resolveRequires(resolvers: readonly Resolver[]): void {
  const loader = commonJsLoader();
  const original = loader._resolveFilename;
  loader._resolveFilename = function _resolveFilename(specifier, parent, ...rest) {
    const ask = (path: string | undefined) => {
      try {
        return original.call(this, path ?? specifier, parent, ...rest);
      } catch (error) {
        if (error instanceof Error && parent?.filename) requirers.set(error, parent.filename);
        throw error;
      }
    };
    return parent?.filename ? decide(resolvers, recoverNow, specifier, parent.filename, ask) : ask(undefined);
  };
}

function decide<R>(
  resolvers: readonly Resolver[],
  recover: Recover<R>,
  specifier: string,
  parent: string,
  ask: (path?: string) => R,
): R {
  for (const { early } of resolvers) {
    const path = early?.(specifier, parent);
    if (path !== undefined) return ask(path);
  }
  return recover(ask, (error) => {
    if (!isNotFound(error)) throw error;
    for (const { late } of resolvers) {
      const path = late?.(specifier, parent);
      if (path !== undefined) return ask(path);
    }
    throw error;
  });
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && NOT_FOUND.has(error.code);
}

/** Returns the loader. Its members are not in Node's types, but documented as patched by many, and kept for that. */
export function commonJsLoader(): CommonJsLoader {
  return Module as unknown as CommonJsLoader;
}
