/** Parameters of a path: one segment each, or the segments that a catch-all holds. */
export type RouteParams = Record<string, string | string[]>;

export interface RouteMatch<T> {
  readonly route: T;
  readonly params: RouteParams;
}

/** Routes by the segments of their paths, written as Next names folders: `threads`, `[thread_id]`, `[...path]`, `[[...path]]`. */
interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  parameter?: { readonly name: string; readonly node: Node<T> };
  /** Takes the rest of a path. `optional` takes an empty rest as well. */
  catchAll?: { readonly name: string; readonly optional: boolean; readonly route: T };
  route?: T;
}

/**
 * Matches a path whose segments need no decoding: letters, digits and marks that mean themselves. A last segment that ends
 * in `.rsc` names the data of a page.
 */
const PLAIN = /^(?:\/[\w.~!$&'()*+,;=:@-]+)+$/;
const DATA_OF_PAGE = /\.rsc$/;

/** Finds the route of a path. Undefined for a path that no route has, and for one whose segments need decoding. Total. */
export type FindRoute<T> = (path: string) => RouteMatch<T> | undefined;

/**
 * Finds routes in the order of Next: at each segment, a literal comes before a parameter, and that before a catch-all.
 * Folders in parentheses group routes and are no part of their paths.
 */
export function routeTree<T>(routes: Iterable<readonly [folders: readonly string[], route: T]>): FindRoute<T> {
  const root = emptyNode<T>();
  for (const [folders, route] of routes) add(root, folders.filter(isSegment), route);
  return (path) => {
    if (!PLAIN.test(path) || DATA_OF_PAGE.test(path)) return undefined;
    return find(root, path.split("/"), 1);
  };
}

function emptyNode<T>(): Node<T> {
  return { literals: new Map() };
}

function isSegment(folder: string): boolean {
  return !/^\(.*\)$/.test(folder);
}

function add<T>(root: Node<T>, segments: readonly string[], route: T): void {
  let node = root;
  for (const segment of segments) {
    const catchAll = /^\[?\[\.\.\.(.+?)\]\]?$/.exec(segment)?.[1];
    if (catchAll !== undefined) {
      node.catchAll = { name: catchAll, optional: segment.startsWith("[["), route };
      return;
    }
    const parameter = /^\[(.+)\]$/.exec(segment)?.[1];
    node = parameter === undefined ? childOf(node, segment) : parameterOf(node, parameter);
  }
  node.route = route;
}

function childOf<T>({ literals }: Node<T>, segment: string): Node<T> {
  const child = literals.get(segment) ?? emptyNode<T>();
  literals.set(segment, child);
  return child;
}

function parameterOf<T>(node: Node<T>, name: string): Node<T> {
  node.parameter ??= { name, node: emptyNode<T>() };
  return node.parameter.node;
}

function find<T>(node: Node<T>, segments: readonly string[], at: number): RouteMatch<T> | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.route === undefined ? restOf(node, []) : { route: node.route, params: {} };
  const literal = node.literals.get(segment);
  const found = literal && find(literal, segments, at + 1);
  if (found) return found;
  const { parameter } = node;
  const below = parameter && find(parameter.node, segments, at + 1);
  if (below) return { route: below.route, params: { [parameter.name]: segment, ...below.params } };
  return restOf(node, segments.slice(at));
}

function restOf<T>({ catchAll }: Node<T>, rest: string[]): RouteMatch<T> | undefined {
  if (!catchAll) return undefined;
  const { name, optional, route } = catchAll;
  if (rest.length > 0) return { route, params: { [name]: rest } };
  return optional ? { route, params: {} } : undefined;
}
