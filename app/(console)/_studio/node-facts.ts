import type { GraphDrawing } from "#lib/protocol/assistants.ts";
import { isObject } from "#lib/protocol/json.ts";
import type { StudioRun } from "#lib/rules/studio/run.ts";

type DrawnNode = GraphDrawing["nodes"][number];

export const isEnd = (id: string): boolean => /(^|:)__(start|end)__$/.test(id);

/** Returns the name of a node as its graph has it, with the names of the subgraphs around it. */
export function nameOfNode(node: DrawnNode | undefined, id: string): string {
  const name = isObject(node?.data) && typeof node.data.name === "string" ? node.data.name : undefined;
  return id.includes(":") ? id.split(":").join(" › ") : (name ?? id);
}

/** Returns what the drawing tells of a node, as names with texts. Members of unknown kinds are left out. */
export function factsOf(node: DrawnNode | undefined, drawing: GraphDrawing | undefined): [string, string][] {
  if (!node) return [];
  const facts = isObject(node.metadata) ? node.metadata : {};
  const rows: [string, string | undefined][] = [
    ["Kind", textOf(facts.kind)],
    ["Code", sourceOf(facts.source)],
    ["Model", textOf(facts.model)],
    ["Tools", namesOf(facts.tools)],
    ["Reads", namesOf(facts.reads)],
    ["Retries", retryOf(facts.retry)],
    ["From", neighboursOf(node, drawing, "source")],
    ["To", neighboursOf(node, drawing, "target")],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== undefined);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function sourceOf(source: unknown): string | undefined {
  if (!isObject(source) || typeof source.file !== "string") return undefined;
  return typeof source.line === "number" ? `${source.file}:${source.line}` : source.file;
}

function namesOf(list: unknown): string | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const names = list.map((one: unknown) => (isObject(one) ? textOf(one.name) : textOf(one)));
  return names.filter((name) => name !== undefined).join(", ") || undefined;
}

function retryOf(retry: unknown): string | undefined {
  if (!isObject(retry)) return undefined;
  const most = retry.max_attempts;
  return typeof most === "number" ? `up to ${most} attempts` : undefined;
}

function neighboursOf(
  node: DrawnNode,
  drawing: GraphDrawing | undefined,
  side: "source" | "target",
): string | undefined {
  const other = side === "source" ? "target" : "source";
  const names = drawing?.edges
    .filter((edge) => edge[other] === `${node.id}`)
    .map(
      (edge) =>
        `${String(edge[side]).replace(/^__(start|end)__$/, "$1")}${typeof edge.data === "string" ? ` (${edge.data})` : ""}`,
    );
  return names && names.length > 0 ? names.join(", ") : undefined;
}

const MOST_KEYS = 20;

/** Returns the keys of the state that a node's tasks wrote in a run. A drawing does not tell which it may write. */
export function keysWritten(run: StudioRun, node: string): string[] {
  const keys = new Set<string>();
  for (const task of run.tasks) {
    if (task.node === node && isObject(task.result)) for (const key of Object.keys(task.result)) keys.add(key);
    if (keys.size >= MOST_KEYS) break;
  }
  return [...keys];
}
