/** Makes Node find and load an application's files as its author expects. */
import { register, registerHooks, setSourceMapsSupport } from "node:module";
import { type CompiledAhead, readCompiled } from "./compiled.ts";
import { compiledExtensions } from "./compiler.ts";
import type { HookData } from "./hooks-thread.ts";
import { sharedPackages, type SharedPackages } from "./packages.ts";
import { commonJsLoader, recoverNow, resolveImports, resolveRequires } from "./resolution.ts";
import { endTsConfigsAt } from "./tsconfig.ts";
import { compileFile, loadSource, sources } from "./typescript.ts";

export function installHooks(data: HookData): SharedPackages {
  const { folders, compiled, root } = data;
  if (root !== undefined) endTsConfigsAt(root);
  const packages = sharedPackages(folders);
  const resolvers = [packages, sources];
  const ahead = compiled === undefined ? undefined : readCompiled(compiled);
  setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
  resolveRequires(resolvers);
  requireSources(ahead);
  if (isSupported(registerHooks)) {
    registerHooks({
      resolve: (specifier, context, next) =>
        resolveImports(resolvers, recoverNow, specifier, context, (resolved, about) => next(resolved, about)),
      load: (url, context, next) => loadSource(url, context, ahead) ?? next(url, context),
    });
  } else {
    register(new URL("./hooks-thread.ts", import.meta.url), { data });
  }
  return packages;
}

/**
 * Compiles what `require` loads. `require` does not call hooks that have a thread of their own. With other hooks, Node
 * forgets the format that they gave a file and takes that of the nearest package.json (seen with Node.js 24.21).
 */
function requireSources(ahead: CompiledAhead | undefined): void {
  const { _extensions: readers } = commonJsLoader();
  for (const extension of compiledExtensions) {
    readers[extension] = (module, path) => {
      const { format, source } = compileFile(path, ahead);
      module._compile(source, path, format);
    };
  }
}

/** Returns whether Node has hooks in the same thread, which came with Node.js 22.15. */
function isSupported(hooks: unknown): boolean {
  return typeof hooks === "function";
}
