/** The number of symbolic links that Linux follows in one path. */
const HOPS = 40;
/** Longest target of a symbolic link in bytes. No system takes a longer path. */
export const LONGEST_TARGET = 4096;
/** The number of steps for all links of one source: ten for each entry that a source may have. */
const MOST_STEPS = 1_000_000;
/** A lookup costs one step for each 32 names of its path. */
const NAMES_A_STEP = 32;

/** The file or folder to which a link of a source leads. `path` is that of a file which is not a link itself. */
export type LinkEnd =
  | { is: "file"; path: string }
  /** `circle`: links form a cycle, or there are too many of them. */
  | { is: "folder" | "outside" | "nothing" | "circle" };

type KindOf = (path: string) => "file" | "folder" | undefined;

/** A path below the root, which is undefined. Paths share their parents, so that common targets are in memory once. */
interface PathNode {
  name: string;
  above: PathNode | undefined;
  depth: number;
}

/** The state of following one path. */
interface Walk {
  at: PathNode | undefined;
  file?: string;
  isMissing: boolean;
  hops: number;
  /** Set when the walk ends early, with the reason. */
  stop?: "outside" | "circle";
  /** The walk was stopped by an outer limit, so its result must not be reused. */
  isCut?: boolean;
}

/**
 * Follows links as the system would, within their source alone. A step above the root counts as leaving it, even when
 * the next step leads back or something on the way is missing. `links` are all links of the source with their targets;
 * `kindOf` returns what is at any other path, `undefined` for nothing. Paths are relative to the root and have forward
 * slashes. The end of each link is cached. Total; undefined once all links together have taken more than `most` steps.
 */
export function linkFollower(
  links: ReadonlyMap<string, string>,
  kindOf: KindOf,
  most = MOST_STEPS,
): (link: string) => LinkEnd | undefined {
  const follower = new Follower(links, kindOf, most);
  return (link) => follower.follow(link);
}

class Follower {
  readonly #links: ReadonlyMap<string, string>;
  readonly #kindOf: KindOf;
  readonly #known = new Map<string, Walk>();
  #left: number;

  constructor(links: ReadonlyMap<string, string>, kindOf: KindOf, most: number) {
    this.#links = links;
    this.#kindOf = kindOf;
    this.#left = most;
  }

  follow(link: string): LinkEnd | undefined {
    const walk: Walk = { at: undefined, isMissing: false, hops: 0 };
    this.#take(walk, link, 0);
    if (this.#left < 0) return undefined;
    if (walk.stop) return { is: walk.stop };
    if (walk.isMissing) return { is: "nothing" };
    return walk.file === undefined ? { is: "folder" } : { is: "file", path: walk.file };
  }

  /** Follows a path. `nested`: the number of links that are being followed. */
  #take(walk: Walk, path: string, nested: number): void {
    for (const part of path.split("/")) {
      if (--this.#left < 0) {
        walk.stop = "circle";
        walk.isCut = true;
      }
      if (walk.stop) return;
      if (part !== "" && part !== ".") this.#step(walk, part, nested);
    }
  }

  #step(walk: Walk, part: string, nested: number): void {
    if (walk.file !== undefined) walk.isMissing = true;
    if (part === "..") {
      if (walk.at) walk.at = walk.at.above;
      else walk.stop = "outside";
      return;
    }
    const above = walk.at;
    walk.at = { name: part, above, depth: (above?.depth ?? 0) + 1 };
    if (walk.isMissing) return;
    this.#left -= Math.floor(walk.at.depth / NAMES_A_STEP);
    const path = pathTo(walk.at);
    const target = this.#links.get(path);
    if (target !== undefined) {
      goOn(walk, this.#endOf(path, target, above, nested + 1));
      return;
    }
    const kind = this.#kindOf(path);
    if (kind === undefined) walk.isMissing = true;
    if (kind === "file") walk.file = path;
  }

  /** Follows one link in the folder `above`, with a hop count of its own. */
  #endOf(link: string, target: string, above: PathNode | undefined, nested: number): Walk {
    const known = this.#known.get(link);
    if (known) return known;
    if (target.startsWith("/")) return { at: above, isMissing: false, hops: 0, stop: "outside" };
    if (nested > HOPS) return { at: above, isMissing: false, hops: 1, stop: "circle", isCut: true };
    const isPath = target !== "" && target.length <= LONGEST_TARGET;
    const walk: Walk = { at: above, isMissing: !isPath, hops: 1 };
    if (isPath) this.#take(walk, target, nested);
    // The outermost link has no outer limit, so its result can always be reused.
    if (!walk.isCut || nested === 1) this.#known.set(link, walk);
    return walk;
  }
}

function goOn(walk: Walk, end: Walk): void {
  walk.hops += end.hops;
  walk.isCut = end.isCut;
  if (walk.hops > HOPS) walk.stop = "circle";
  else if (end.stop) walk.stop = end.stop;
  walk.at = end.at;
  walk.file = end.file;
  walk.isMissing = end.isMissing;
}

function pathTo(node: PathNode): string {
  const names: string[] = [];
  for (let at: PathNode | undefined = node; at; at = at.above) names.push(at.name);
  return names.toReversed().join("/");
}
