/** Runs the hooks of `hooks.ts` in a thread of their own, for a release of Node.js that has no others. */
import type { LoadHook, ResolveFnOutput, ResolveHook } from "node:module";
import { type CompiledAhead, readCompiled } from "./compiled.ts";
import { tolerateDenied } from "./denied.ts";
import { sharedPackages } from "./packages.ts";
import { resolveImports, type Resolver } from "./resolution.ts";
import { endTsConfigsAt } from "./tsconfig.ts";
import { loadSource, sources } from "./typescript.ts";

export interface HookData {
  /** The folders in which LangGraph is looked up. */
  folders: readonly string[];
  /** The folder of files that were compiled ahead. */
  compiled?: string;
  /** The source's root, where the search for configurations ends. Without it, the search goes on to the top. */
  root?: string;
}

let resolvers: Resolver[] = [];
let ahead: CompiledAhead | undefined;

export function initialize({ folders, compiled, root }: HookData): void {
  // A thread has its own file system module, so the patches of the main thread do not apply here.
  tolerateDenied();
  if (root !== undefined) endTsConfigsAt(root);
  resolvers = [sharedPackages(folders), sources];
  ahead = compiled === undefined ? undefined : readCompiled(compiled);
}

async function recoverLater<R>(attempt: () => Promise<R>, otherwise: (error: unknown) => Promise<R>): Promise<R> {
  try {
    return await attempt();
  } catch (error) {
    return await otherwise(error);
  }
}

export const resolve: ResolveHook = (specifier, context, next) =>
  resolveImports<Promise<ResolveFnOutput>>(resolvers, recoverLater, specifier, context, async (resolved, about) => {
    return await next(resolved, about);
  });

export const load: LoadHook = async (url, context, next) =>
  loadSource(url, context, ahead) ?? (await next(url, context));
