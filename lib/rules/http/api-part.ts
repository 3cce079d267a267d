import type { HttpConfig } from "../../protocol/http-config.ts";

/** A part of the API that an application can switch off, named like its switch. */
type ApiPart = "assistants" | "threads" | "runs" | "store" | "meta" | "a2a" | "mcp" | "ui";

const BY_HEAD = new Map<string, ApiPart>([
  ["assistants", "assistants"],
  ["threads", "threads"],
  ["runs", "runs"],
  ["store", "store"],
  ["info", "meta"],
  ["metrics", "meta"],
  ["docs", "meta"],
  ["openapi.json", "meta"],
  ["a2a", "a2a"],
  [".well-known", "a2a"],
  ["mcp", "mcp"],
  ["ui", "ui"],
]);

/** Paths below a thread that belong to the part `runs`: the legacy routes and the thread streaming protocol. */
const RUNS_OF_THREAD = new Set(["runs", "commands", "stream"]);

/** Returns the part to which an operation's path belongs; undefined for paths that cannot be switched off. */
function partOf(path: string): ApiPart | undefined {
  const [head = "", , below = ""] = path.split("/").slice(1);
  return head === "threads" && RUNS_OF_THREAD.has(below) ? "runs" : BY_HEAD.get(head);
}

/** Returns whether an application has switched off the part of the API to which an operation's path belongs. */
export function isSwitchedOff(http: HttpConfig | undefined, path: string): boolean {
  const part = partOf(path);
  return part !== undefined && http?.[`disable_${part}`] === true;
}
