/** Stands in for `node:module` in a worker on Node.js 20, and adds what else the code needs and that release lacks. */
import module from "node:module";

export const { createRequire, isBuiltin, Module, register, SourceMap, syncBuiltinESMExports } = module;
export const registerHooks = undefined;
export const enableCompileCache = (): undefined => undefined;
export const flushCompileCache = (): undefined => undefined;
export const getCompileCacheDir = (): undefined => undefined;
export const setSourceMapsSupport = (enabled: boolean): void => process.setSourceMapsEnabled(enabled);

Promise.withResolvers ??= function withResolvers<T>(): PromiseWithResolvers<T> {
  let settle: Pick<PromiseWithResolvers<T>, "resolve" | "reject"> | undefined;
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }));
  if (!settle) throw new Error("a promise did not call its executor");
  return { promise, ...settle };
};

Map.groupBy ??= function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
};
