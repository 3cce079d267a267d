/** What the worker takes from the application's own copy of LangGraph, typed by ours. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CompiledGraph } from "@langchain/langgraph";
import { isObject } from "../protocol/json.ts";

type Module = typeof import("@langchain/langgraph");
type ZodSchemas = typeof import("@langchain/langgraph/zod/schema");

/** Any graph that was compiled, whatever its state. */
export type Graph = CompiledGraph<string>;

/** A graph inside of another, as LangGraph lists them. */
export type Subgraph = ReturnType<Graph["getSubgraphsAsync"]> extends AsyncGenerator<[string, infer S]> ? S : never;

export interface LangGraph {
  readonly version: string;
  readonly Command: Module["Command"];
  readonly Send: Module["Send"];
  readonly BaseStore: Module["BaseStore"];
  readonly BaseCheckpointSaver: Module["BaseCheckpointSaver"];
  readonly messagesStateReducer: Module["messagesStateReducer"];
  /** Whether `values` tell of interrupts. Releases before 0.3 tell of them in `updates` alone. */
  readonly interruptsInValues: boolean;
  /** Older releases keep it to themselves. */
  readonly AsyncBatchedStore: Module["AsyncBatchedStore"] | undefined;
  /** Older releases know no stream transformers. */
  readonly createGraphRunStream: Module["createGraphRunStream"] | undefined;
  readonly isNativeTransformer: Module["isNativeTransformer"] | undefined;
  /** Rejects where the release has no such module. */
  zodSchemas(): Promise<ZodSchemas>;
}

/** `resolve` says where the shared copy lies. */
export async function loadLangGraph(resolve: (specifier: string) => string): Promise<LangGraph> {
  const path = resolve("@langchain/langgraph");
  const module = await importAs<Module>(path);
  const { Command, Send, BaseStore, BaseCheckpointSaver, messagesStateReducer, AsyncBatchedStore } = module;
  const { createGraphRunStream, isNativeTransformer } = module;
  return {
    version: versionOf(dirname(path)),
    Command,
    Send,
    BaseStore,
    BaseCheckpointSaver,
    messagesStateReducer,
    // This name came with 0.3.0, together with the interrupts in `values`.
    interruptsInValues: "isInterrupted" in module,
    AsyncBatchedStore,
    createGraphRunStream,
    isNativeTransformer,
    zodSchemas: async () => await importAs<ZodSchemas>(resolve("@langchain/langgraph/zod/schema")),
  };
}

/** The name of a module says what it exports; the caller knows the name. */
async function importAs<M>(path: string): Promise<M> {
  return (await import(pathToFileURL(path).href)) as M;
}

/** Not every release lets its package.json be imported. */
function versionOf(folder: string): string {
  const file = join(folder, "package.json");
  if (existsSync(file)) {
    const about: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (isObject(about) && typeof about.version === "string") return about.version;
  }
  return dirname(folder) === folder ? "" : versionOf(dirname(folder));
}
