/** Tells of each node of a graph what its builder knows: where its code is, its retries, its tools and so on. */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import type { NodeInfo, SourcePlace } from "../../protocol/node-info.ts";
import type { Graph, Subgraph } from "../langgraph.ts";
import { subgraphsAt } from "../subgraphs.ts";

const MOST_LISTED = 100;
const LONGEST_NAME = 200;
const LONGEST_TEXT = 1000;
/** Runnables wrap each other; a model is looked for this deep. */
const DEEPEST = 4;

type FindSource = (code: unknown) => SourcePlace | undefined;

/** Returns what is known of nodes by the ids that drawings give them, also of nodes inside of subgraphs. Never rejects. */
export async function nodeInfos(graph: Graph, findSource: FindSource): Promise<Map<string, NodeInfo>> {
  const infos = new Map<string, NodeInfo>();
  const levels: [string, Graph | Subgraph][] = [["", graph]];
  try {
    for await (const [name, subgraph] of subgraphsAt(graph, undefined, true)) levels.push([name, subgraph]);
  } catch {
    // A graph whose subgraphs cannot be read is still described at its top level.
  }
  const inside = new Set(levels.map(([name]) => name));
  for (const [name, level] of levels) {
    const path = name === "" ? [] : name.split("|");
    for (const [node, info] of infosOf(level, findSource)) {
      const names = [...path, node];
      if (inside.has(names.join("|"))) info.kind = "subgraph";
      infos.set(names.map(drawnName).join(":"), info);
    }
  }
  return infos;
}

/** LangGraph quotes this one name in drawings, for the language of its diagrams. */
function drawnName(name: string): string {
  return name === "subgraph" ? `"${name}"` : name;
}

function infosOf(level: unknown, findSource: FindSource): Map<string, NodeInfo> {
  const infos = new Map<string, NodeInfo>();
  const graph = isObject(level) ? level : {};
  const builder = isObject(graph.builder) ? graph.builder : {};
  const compiled = isObject(graph.nodes) ? graph.nodes : {};
  for (const [name, spec] of Object.entries(isObject(builder.nodes) ? builder.nodes : {})) {
    try {
      const node = Object.hasOwn(compiled, name) && isObject(compiled[name]) ? compiled[name] : {};
      if (isObject(spec)) infos.set(name, infoOf(name, { spec, node, builder, graph }, findSource));
    } catch {
      // A getter or a proxy of the application threw.
    }
  }
  return infos;
}

interface Known {
  /** The nodes as `addNode` stored them. */
  spec: JsonObject;
  /** The nodes that `compile` made of them, with the defaults of the graph. */
  node: JsonObject;
  builder: JsonObject;
  graph: JsonObject;
}

function infoOf(name: string, { spec, node, builder, graph }: Known, findSource: FindSource): NodeInfo {
  const { runnable } = spec;
  const model = modelOf(runnable);
  const tools = model ? undefined : toolsOf(runnable);
  const source = isObject(runnable) ? findSource(runnable.func) : undefined;
  const retry = retryOf(node.retryPolicy ?? spec.retryPolicy);
  const cache = cacheOf(node.cachePolicy ?? spec.cachePolicy);
  const reads = readsOf(spec.input, builder);
  const ends = namesIn(spec.ends);
  return {
    kind: model ? "model" : tools ? "tools" : isGraph(runnable) ? "subgraph" : "node",
    ...(source && { source }),
    ...(retry && { retry }),
    ...(cache && { cache }),
    ...(spec.defer === true && { defer: true }),
    ...(tools && { tools }),
    ...(model?.name !== undefined && { model: model.name }),
    ...(reads && { reads }),
    ...(ends && { ends }),
    ...(isNamedBy(graph.interruptBefore, name) && { interrupt_before: true }),
    ...(isNamedBy(graph.interruptAfter, name) && { interrupt_after: true }),
  };
}

function isGraph(runnable: unknown): boolean {
  return isObject(runnable) && runnable.lg_is_pregel === true;
}

/** Returns the tools of a `ToolNode`, which is known by its list: it may come from another copy of LangGraph. */
function toolsOf(runnable: unknown): NodeInfo["tools"] {
  if (!isObject(runnable) || !Array.isArray(runnable.tools)) return undefined;
  const tools: unknown[] = runnable.tools;
  return tools.slice(0, MOST_LISTED).flatMap((tool) => {
    if (!isObject(tool) || typeof tool.name !== "string") return [];
    const about = typeof tool.description === "string" ? { description: cut(tool.description, LONGEST_TEXT) } : {};
    return [{ name: cut(tool.name, LONGEST_NAME), ...about }];
  });
}

/** Returns the chat model that a node is, or that its chain of runnables has. */
function modelOf(runnable: unknown, depth = 0): { name: string | undefined } | undefined {
  if (!isObject(runnable) || depth > DEEPEST) return undefined;
  if (typeof runnable._llmType === "function") {
    const name = [runnable.model, runnable.modelName].find((one) => typeof one === "string" && one !== "");
    return { name: typeof name === "string" ? cut(name, LONGEST_NAME) : undefined };
  }
  const steps: unknown[] = Array.isArray(runnable.steps) ? runnable.steps : [runnable.bound];
  for (const step of steps.slice(0, MOST_LISTED)) {
    const model = modelOf(step, depth + 1);
    if (model) return model;
  }
  return undefined;
}

const RETRY = {
  max_attempts: "maxAttempts",
  initial_interval: "initialInterval",
  max_interval: "maxInterval",
  backoff_factor: "backoffFactor",
} as const;

function retryOf(policy: unknown): NodeInfo["retry"] {
  if (!isObject(policy)) return undefined;
  const numbers = Object.entries(RETRY).flatMap(([name, member]): [string, number][] => {
    const value = policy[member];
    return typeof value === "number" && Number.isFinite(value) ? [[name, value]] : [];
  });
  return { ...Object.fromEntries(numbers), ...(typeof policy.jitter === "boolean" && { jitter: policy.jitter }) };
}

function cacheOf(policy: unknown): NodeInfo["cache"] {
  if (!isObject(policy)) return policy === true ? {} : undefined;
  return typeof policy.ttl === "number" && Number.isFinite(policy.ttl) ? { ttl: policy.ttl } : {};
}

/** Returns the keys that a node reads if it was given an input schema of its own. */
function readsOf(input: unknown, { _schemaDefinition: state }: JsonObject): string[] | undefined {
  if (!isObject(input) || input === state || "__root__" in input) return undefined;
  return namesIn(Object.keys(input));
}

function namesIn(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const names: unknown[] = value;
  return names
    .slice(0, MOST_LISTED)
    .filter((one) => typeof one === "string")
    .map((one) => cut(one, LONGEST_NAME));
}

function isNamedBy(names: unknown, name: string): boolean {
  return names === "*" || (Array.isArray(names) && names.includes(name));
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`.toWellFormed();
}
