import { isObject, type JsonObject, parseJson } from "../../protocol/json.ts";
import type { AgentStatus, AgentTree, ThreadEvent } from "../../protocol/thread-stream.ts";

/** The most namespaces of a tree, and how deep they may nest. Others are left out. */
const MOST_NODES = 10_000;
const DEEPEST = 100;

export interface GrowingTree {
  readonly root: AgentTree;
  /** Adds the lifecycle event of a namespace. */
  grow(lifecycle: ThreadEvent): void;
}

/** Creates the tree of the namespaces of a run with their statuses. */
export function growingTree(graph_name: string): GrowingTree {
  const root: AgentTree = { namespace: [], status: "started", graph_name };
  const nodes = new Map<string, AgentTree>([["", root]]);
  return {
    root,
    grow({ namespace, data }) {
      if (namespace.length > DEEPEST) return;
      const known = nodes.get(namespace.join("|"));
      if (!known && nodes.size >= MOST_NODES) return;
      const life = parseJson(data);
      if (!isObject(life)) return;
      const node = known ?? added(nodes, namespace, nameOf(life));
      node.status = isStatus(life.event) ? life.event : node.status;
    },
  };
}

const nameOf = ({ graph_name }: JsonObject): string => (typeof graph_name === "string" ? graph_name : "");

function added(nodes: Map<string, AgentTree>, namespace: readonly string[], graph_name: string): AgentTree {
  const node: AgentTree = { namespace, status: "started", graph_name };
  nodes.set(namespace.join("|"), node);
  // When no event has reported the parent namespace, the nearest known ancestor takes its place.
  let above = namespace.slice(0, -1);
  while (!nodes.has(above.join("|"))) above = above.slice(0, -1);
  const parent = nodes.get(above.join("|"));
  if (parent) (parent.children ??= []).push(node);
  return node;
}

const STATUSES = new Set<unknown>(["started", "running", "completed", "failed", "interrupted"]);

function isStatus(value: unknown): value is AgentStatus {
  return STATUSES.has(value);
}
