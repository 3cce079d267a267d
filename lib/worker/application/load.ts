/** Loads each graph of an application on its own, so that an error in one does not affect the others. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseGraphPath } from "../../protocol/config.ts";
import type { RunError } from "../../protocol/stream.ts";
import type { ApplicationCode, LoadedApp, LoadedAuth, LoadedGraph, SourceTypes } from "../../protocol/worker.ts";
import { type App, toApp } from "./app.ts";
import { brokenImport, type FindShared, importedTitle } from "../modules/broken-import.ts";
import { GraphLoadError, logFailure, locationIn, toRunError, withoutPaths } from "../failure.ts";
import { graphSourceOf, type GraphSource } from "./graph.ts";
import { type Guard, guardsOf, toGuard } from "./guard.ts";
import { loadLangGraph, type LangGraph } from "../langgraph.ts";
import { stopCompiler } from "../modules/compiler.ts";
import { installHooks } from "../modules/hooks.ts";
import { staticTypes } from "../schemas/static.ts";
import { findSyntaxError, loadedSources } from "../modules/typescript.ts";
import { createSourceFinder } from "./source-places.ts";

export interface Application {
  /** The real path of the folder. */
  readonly folder: string;
  readonly langgraph: LangGraph;
  readonly graphs: ReadonlyMap<string, GraphSource>;
  readonly report: LoadedGraph[];
  /** Returns the types of a graph in the sources; never rejects. Undefined if the process may not start threads. */
  readonly typesOf: ((graph: string) => Promise<SourceTypes>) | undefined;
  /** Creates a finder of places in the application's sources. */
  readonly findSources: ReturnType<typeof createSourceFinder>;
  readonly guard?: Guard;
  readonly auth?: LoadedAuth;
  readonly routes?: App;
  readonly app?: LoadedApp;
}

export async function loadApplication(code: ApplicationCode): Promise<Application> {
  const { folder, graphs: entries, auth, app } = code;
  const root = existsSync(folder) ? realpathSync(folder) : resolve(folder);
  const files = Object.entries(entries).map(([graph, { path }]) => ({ graph, ...parseGraphPath(path) }));
  const folders = [...files.map(({ file }) => dirname(resolve(root, file))), root];
  const packages = installHooks({ folders, compiled: code.compiled, root: code.root });
  const langgraph = await loadLangGraph(packages.resolve);
  const early: FindShared = (specifier) => packages.early?.(specifier, root);
  const graphs = new Map<string, GraphSource>();
  const report = await Promise.all(
    files.map(async ({ graph, file, exportName }): Promise<LoadedGraph> => {
      try {
        graphs.set(graph, await graphSourceOf(await loadExport(root, file, exportName)));
        return { graph };
      } catch (error) {
        logFailure(`Graph ${graph} (${file}) does not load:`, error);
        return { graph, error: withoutPaths(toLoadError(error, early), root), ...locationIn(root, error) };
      }
    }),
  );
  const guarded = auth === undefined ? {} : await loadGuard(root, auth, early);
  const served = app === undefined ? {} : await loadRoutes(root, app, early);
  await stopCompiler();
  const readTypes = staticTypes([dirname(packages.resolve("@langchain/langgraph")), import.meta.dirname], code.root);
  const typesOf = async (graph: string): Promise<SourceTypes> => {
    const origin = files.find((one) => one.graph === graph);
    return origin ? await readTypes(resolve(root, origin.file), origin.exportName) : {};
  };
  const known = {
    typesOf: mayStartThreads() ? typesOf : undefined,
    findSources: createSourceFinder(root, loadedSources),
  };
  return { folder: root, langgraph, graphs, report, ...known, ...guarded, ...served };
}

function mayStartThreads(): boolean {
  // The property exists only under the permission model, although its type says otherwise.
  const { permission }: { permission?: NodeJS.ProcessPermission } = process;
  return permission?.has("worker") ?? true;
}

async function loadGuard(root: string, path: string, early: FindShared): Promise<Pick<Application, "guard" | "auth">> {
  const { file, exportName } = parseGraphPath(path);
  try {
    const guard = toGuard(await loadExport(root, file, exportName));
    return { guard, auth: guardsOf(guard) };
  } catch (error) {
    logFailure(`The auth module (${file}) does not load:`, error);
    return { auth: { error: withoutPaths(toLoadError(error, early), root) } };
  }
}

async function loadRoutes(root: string, path: string, early: FindShared): Promise<Pick<Application, "routes" | "app">> {
  const { file, exportName } = parseGraphPath(path);
  try {
    return { routes: toApp(await loadExport(root, file, exportName)), app: {} };
  } catch (error) {
    logFailure(`The app (${file}) does not load:`, error);
    return { app: { error: withoutPaths(toLoadError(error, early), root) } };
  }
}

/** Returns the source of a graph. Throws `GraphLoadError` with the reason if it did not load or does not exist. */
export function sourceOf({ graphs, report }: Application, graph: string): GraphSource {
  const source = graphs.get(graph);
  if (source) return source;
  const error = report.find((one) => one.graph === graph)?.error;
  throw new GraphLoadError(
    error ? `Graph ${graph} did not load: ${error.error}: ${error.message}` : `There is no graph ${graph}`,
  );
}

function toLoadError(thrown: unknown, findShared: FindShared): RunError {
  if (!(thrown instanceof Error) || thrown.message.startsWith("/")) return toRunError(thrown);
  const location = locationOf(thrown);
  const message = brokenImport(thrown, location?.path, findShared);
  if (message !== undefined) return { error: thrown.name, message };
  if (!(thrown instanceof SyntaxError)) return toRunError(thrown);
  if (!location) return toRunError(findSyntaxError() ?? thrown);
  const imported = importedTitle(thrown, location.path, findShared);
  const located = `${location.path}:${location.line}: ${thrown.message}`;
  return { error: thrown.name, message: imported === undefined ? located : `${located} (${imported})` };
}

/** Returns the location of an import or export error, which Node names in the stack. */
function locationOf({ stack = "" }: Error): { path: string; line: string } | undefined {
  const [, path, line] = /^(?:file:\/\/)?(\/.*):(\d+)\n/.exec(stack) ?? [];
  return path === undefined || line === undefined ? undefined : { path, line };
}

/** Returns what a file of the application exports under a name. Throws `GraphLoadError` if there is no such export. */
export async function loadExport(root: string, file: string, exportName: string): Promise<unknown> {
  const path = resolve(root, file);
  const name = relative(root, path);
  if (!existsSync(path)) throw new GraphLoadError(`There is no file ${name}`);
  const exports = exportsOf(await importModule(path));
  if (!exports.has(exportName)) {
    const names = [...exports.keys()].toSorted();
    throw new GraphLoadError(
      `${name} has no export "${exportName}"; it exports ${names.length > 0 ? names.join(", ") : "nothing"}`,
    );
  }
  return await exports.get(exportName);
}

async function importModule(path: string): Promise<object> {
  return (await import(pathToFileURL(path).href)) as object;
}

/** Returns all exports. Node lists only the CommonJS names that it can guess; the default export has the rest. */
function exportsOf(module: object): Map<string, unknown> {
  const exports = new Map<string, unknown>(Object.entries(module));
  const inner = exports.get("module.exports") ?? exports.get("default");
  if (typeof inner === "object" && inner !== null && exports.has("module.exports")) {
    const compiled = "__esModule" in inner;
    for (const [name, value] of Object.entries(inner)) if (compiled || !exports.has(name)) exports.set(name, value);
  }
  exports.delete("module.exports");
  exports.delete("__esModule");
  return exports;
}
