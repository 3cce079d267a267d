/** The parts of the application's own copy of LangGraph that the worker uses, with the types of this project's copy. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CompiledGraph } from "@langchain/langgraph";
import { isObject } from "../protocol/json.ts";
import { makeTracesLazy } from "./lazy-traces.ts";

type Module = typeof import("@langchain/langgraph");
type ZodSchemas = typeof import("@langchain/langgraph/zod/schema");

/** A compiled graph with any state. */
export type Graph = CompiledGraph<string>;

/** A graph inside of another, as LangGraph lists it. */
export type Subgraph = ReturnType<Graph["getSubgraphsAsync"]> extends AsyncGenerator<[string, infer S]> ? S : never;

export interface LangGraph extends Readonly<
  Pick<Module, "Command" | "Send" | "BaseStore" | "BaseCheckpointSaver" | "messagesStateReducer">
> {
  readonly version: string;
  /** Set if `values` include interrupts. Releases before 0.3 report interrupts in `updates` alone. */
  readonly interruptsInValues: boolean;
  /** Undefined in older releases, which do not export it. */
  readonly AsyncBatchedStore: Module["AsyncBatchedStore"] | undefined;
  /** Undefined in older releases, which have no stream transformers. */
  readonly createGraphRunStream: Module["createGraphRunStream"] | undefined;
  readonly isNativeTransformer: Module["isNativeTransformer"] | undefined;
  /** Rejects if the release has no such module. */
  zodSchemas(): Promise<ZodSchemas>;
}

/** Loads LangGraph. `resolve` returns the path of a module of the shared copy. */
export async function loadLangGraph(resolve: (specifier: string) => string): Promise<LangGraph> {
  const path = resolve("@langchain/langgraph");
  const module = await importAs<Module>(path);
  const { Command, Send, BaseStore, BaseCheckpointSaver, messagesStateReducer, AsyncBatchedStore } = module;
  const { createGraphRunStream, isNativeTransformer } = module;
  makeTracesLazy(await importAs(resolve("@langchain/core/singletons")));
  return {
    version: versionOf(dirname(path)),
    Command,
    Send,
    BaseStore,
    BaseCheckpointSaver,
    messagesStateReducer,
    // Release 0.3.0 added this export together with the interrupts in `values`.
    interruptsInValues: "isInterrupted" in module,
    AsyncBatchedStore,
    createGraphRunStream,
    isNativeTransformer,
    zodSchemas: async () => await importAs<ZodSchemas>(resolve("@langchain/langgraph/zod/schema")),
  };
}

/** Imports a module. The caller knows its type, because it knows which module lies at the path. */
async function importAs<M>(path: string): Promise<M> {
  return (await import(pathToFileURL(path).href)) as M;
}

/** Searches the folders upwards, because not every release lets its package.json be imported. */
function versionOf(folder: string): string {
  const file = join(folder, "package.json");
  if (existsSync(file)) {
    const about: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (isObject(about) && typeof about.version === "string") return about.version;
  }
  return dirname(folder) === folder ? "" : versionOf(dirname(folder));
}
