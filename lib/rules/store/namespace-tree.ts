/** A namespace in a tree. `count`: the items in it or below it; undefined when that is unknown. */
export interface NamespaceNode {
  readonly path: readonly string[];
  readonly count: number | undefined;
  readonly children: readonly NamespaceNode[];
}

interface Branch {
  readonly path: readonly string[];
  count: number | undefined;
  readonly children: Map<string, Branch>;
}

/** Builds a tree from listed namespaces and the counts of their items. Namespaces above a listed one have the sum. */
export function namespaceTree(
  namespaces: readonly (readonly string[])[],
  counts: readonly number[] | undefined,
): NamespaceNode {
  const root: Branch = { path: [], count: undefined, children: new Map() };
  for (const [at, namespace] of namespaces.entries()) {
    let branch = root;
    for (const [depth, label] of namespace.entries()) {
      const path = namespace.slice(0, depth + 1);
      const next: Branch = branch.children.get(label) ?? { path, count: undefined, children: new Map() };
      branch.children.set(label, next);
      branch = next;
    }
    branch.count = counts?.[at];
  }
  return nodeOf(root);
}

function nodeOf({ path, count, children }: Branch): NamespaceNode {
  const nodes = [...children.values()].map(nodeOf);
  const known = nodes.flatMap((one) => one.count ?? []);
  const sum = known.length === nodes.length && nodes.length > 0 ? known.reduce((a, b) => a + b, 0) : undefined;
  return { path, count: count ?? sum, children: nodes };
}

/** A line of the tree as it is shown. */
export interface NamespaceRow {
  readonly node: NamespaceNode;
  readonly level: number;
  readonly isOpen: boolean;
  /** The place among its siblings, counted from 1, and their number. */
  readonly place: number;
  readonly of: number;
}

/** A name for a namespace that no other one has. */
export const namespaceKey = (path: readonly string[]): string => path.join(".");

/** Returns the visible lines: the root, and the children of all that are open. */
export function visibleRows(root: NamespaceNode, open: ReadonlySet<string>): NamespaceRow[] {
  const rows: NamespaceRow[] = [];
  const add = (node: NamespaceNode, level: number, place: number, of: number): void => {
    const isOpen = level === 1 || open.has(namespaceKey(node.path));
    rows.push({ node, level, isOpen, place, of });
    if (isOpen) node.children.forEach((child, at) => add(child, level + 1, at + 1, node.children.length));
  };
  add(root, 1, 1, 1);
  return rows;
}

/** Returns the keys of the namespaces above one, which must be open for it to be seen. */
export function keysAbove(path: readonly string[]): string[] {
  return path.slice(0, -1).map((_, at) => namespaceKey(path.slice(0, at + 1)));
}
