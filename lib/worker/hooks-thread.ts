/** The hooks of `hooks.ts` in a thread of their own, for a Node.js that has no others. */
import type { LoadHook, ResolveFnOutput, ResolveHook } from "node:module";
import { type CompiledAhead, readCompiled } from "./compiled.ts";
import { sharedPackages } from "./packages.ts";
import { resolveImports, type Resolver } from "./resolution.ts";
import { loadSource, sources } from "./typescript.ts";

export interface HookData {
  folders: readonly string[];
  compiled?: string;
}

let resolvers: Resolver[] = [];
let ahead: CompiledAhead | undefined;

export function initialize({ folders, compiled }: HookData): void {
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
  resolveImports<Promise<ResolveFnOutput>>(resolvers, recoverLater, specifier, context, async (asked, about) => {
    return await next(asked, about);
  });

export const load: LoadHook = async (url, context, next) =>
  loadSource(url, context, ahead) ?? (await next(url, context));
