import { isObject, type JsonObject } from "../protocol/json.ts";
import type { AgentStatus, AgentTree, ThreadEvent } from "../protocol/thread-stream.ts";
import { parseJson } from "./thread-stream-told.ts";

/** The namespaces of a run and where each stands, from what it told of their lives. */
export function treeOf(graph_name: string, lifecycle: readonly ThreadEvent[]): AgentTree {
  const root: AgentTree = { namespace: [], status: "started", graph_name };
  const nodes = new Map<string, AgentTree>([["", root]]);
  for (const { namespace, data } of lifecycle) {
    const life = parseJson(data);
    if (!isObject(life)) continue;
    const node = nodes.get(namespace.join("|")) ?? added(nodes, namespace, nameOf(life));
    node.status = isStatus(life.event) ? life.event : node.status;
  }
  return root;
}

const nameOf = ({ graph_name }: JsonObject): string => (typeof graph_name === "string" ? graph_name : "");

function added(nodes: Map<string, AgentTree>, namespace: readonly string[], graph_name: string): AgentTree {
  const node: AgentTree = { namespace, status: "started", graph_name };
  nodes.set(namespace.join("|"), node);
  // A namespace whose own beginning was not told hangs below the nearest one that was.
  let above = namespace.slice(0, -1);
  while (!nodes.has(above.join("|"))) above = above.slice(0, -1);
  const parent = nodes.get(above.join("|"));
  if (parent) parent.children = [...(parent.children ?? []), node];
  return node;
}

const STATUSES = new Set<unknown>(["started", "running", "completed", "failed", "interrupted"]);

function isStatus(value: unknown): value is AgentStatus {
  return STATUSES.has(value);
}
