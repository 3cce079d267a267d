/** Loads the graphs of an application, each on its own: what is wrong with one says nothing about the others. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseGraphPath, type GraphEntry } from "../protocol/config.ts";
import type { RunError } from "../protocol/stream.ts";
import type { LoadedGraph } from "../protocol/worker.ts";
import { GraphLoadError, logFailure, toRunError, withoutPaths } from "./failure.ts";
import { graphSourceOf, type GraphSource } from "./graph.ts";
import { loadLangGraph, type LangGraph } from "./langgraph.ts";
import { sharedPackages } from "./packages.ts";
import { installResolvers } from "./resolution.ts";
import { compileTypeScript, findSyntaxError, restCompiler, sources } from "./typescript.ts";

export interface Application {
  /** Real path of the folder. */
  readonly folder: string;
  readonly langgraph: LangGraph;
  readonly graphs: ReadonlyMap<string, GraphSource>;
  readonly report: LoadedGraph[];
}

export async function loadApplication(folder: string, entries: Record<string, GraphEntry>): Promise<Application> {
  const root = existsSync(folder) ? realpathSync(folder) : resolve(folder);
  const files = Object.entries(entries).map(([graph, { path }]) => ({ graph, ...parseGraphPath(path) }));
  const packages = sharedPackages([...files.map(({ file }) => dirname(resolve(root, file))), root]);
  installResolvers([packages, sources]);
  compileTypeScript();
  const langgraph = await loadLangGraph(packages.resolve);
  const graphs = new Map<string, GraphSource>();
  const report = await Promise.all(
    files.map(async ({ graph, file, exportName }): Promise<LoadedGraph> => {
      try {
        graphs.set(graph, await loadGraph(root, file, exportName));
        return { graph };
      } catch (error) {
        logFailure(`Graph ${graph} (${file}) does not load:`, error);
        return { graph, error: withoutPaths(toLoadError(error), root) };
      }
    }),
  );
  await restCompiler();
  return { folder: root, langgraph, graphs, report };
}

/** Throws `GraphLoadError` for a graph that did not load, with the reason, or that there is not. */
export function sourceOf({ graphs, report }: Application, graph: string): GraphSource {
  const source = graphs.get(graph);
  if (source) return source;
  const error = report.find((one) => one.graph === graph)?.error;
  throw new GraphLoadError(
    error ? `Graph ${graph} did not load: ${error.error}: ${error.message}` : `There is no graph ${graph}`,
  );
}

function toLoadError(thrown: unknown): RunError {
  if (!(thrown instanceof SyntaxError) || thrown.message.startsWith("/")) return toRunError(thrown);
  const place = placeOf(thrown);
  if (place) return { error: thrown.name, message: `${place}: ${thrown.message}` };
  return toRunError(findSyntaxError() ?? thrown);
}

/** Of errors in what a module imports and exports, Node says where in the stack. */
function placeOf(error: SyntaxError): string | undefined {
  return /^(?:file:\/\/)?(\/.*:\d+)\n/.exec(error.stack ?? "")?.[1];
}

async function loadGraph(root: string, file: string, exportName: string): Promise<GraphSource> {
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
  return graphSourceOf(exports.get(exportName));
}

async function importModule(path: string): Promise<object> {
  return (await import(pathToFileURL(path).href)) as object;
}

/** Of a CommonJS module, Node shows the names it could guess; the others are in what it calls the default export. */
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
