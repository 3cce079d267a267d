/** Attributes the samples of a CPU profile to packages and folders. */
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string };
  children?: readonly number[];
}

/** A profile as the inspector of Node.js gives it. `timeDeltas` are the microseconds between a sample and the one before it. */
export interface CpuProfile {
  nodes: readonly ProfileNode[];
  samples: readonly number[];
  timeDeltas: readonly number[];
}

/** The sampler reports these names in place of a function. */
const STATES: Readonly<Record<string, string>> = {
  "(idle)": "idle",
  "(program)": "native code outside of functions",
  "(garbage collector)": "garbage collector",
};

/** Returns the owner of a script: its package, its folder in `root` (at most three levels deep), or Node.js. */
export function ownerOf(url: string, root: string): string {
  if (url.startsWith("node:")) return "Node.js";
  if (!url.startsWith("file:")) return "other scripts";
  const path = fileURLToPath(url);
  const at = path.lastIndexOf(PACKAGES);
  if (at >= 0) {
    const inside = path.slice(at + PACKAGES.length);
    return firstOf(inside, inside.startsWith("@") ? 2 : 1);
  }
  const inside = relative(root, dirname(path));
  if (inside.startsWith("..")) return "other scripts";
  return inside === "" ? "the root folder" : firstOf(inside, 3);
}

const PACKAGES = "/node_modules/";
const firstOf = (path: string, levels: number): string => path.split("/").slice(0, levels).join("/");

/**
 * Returns the self time of each owner, in microseconds. Functions without a file, such as `JSON.parse` or those of a native
 * module, are told apart by the owner of the function that calls them. A sample lasts until the next one.
 */
export function timeByOwner({ nodes, samples, timeDeltas }: CpuProfile, root: string): Map<string, number> {
  const owners = ownersOf(nodes, root);
  const times = new Map<string, number>();
  for (const [n, id] of samples.entries()) {
    const owner = owners.get(id) ?? "other scripts";
    times.set(owner, (times.get(owner) ?? 0) + (timeDeltas[n + 1] ?? 0));
  }
  return times;
}

function ownersOf(nodes: readonly ProfileNode[], root: string): Map<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const owners = new Map<number, string>();
  const visit = ({ id, callFrame, children = [] }: ProfileNode, caller: string): void => {
    const { url, functionName } = callFrame;
    const owner = url === "" ? caller : ownerOf(url, root);
    owners.set(id, STATES[functionName] ?? (url === "" ? `native, called by ${caller}` : owner));
    for (const child of children) {
      const node = byId.get(child);
      if (node) visit(node, owner);
    }
  };
  if (nodes[0]) visit(nodes[0], "Node.js");
  return owners;
}
