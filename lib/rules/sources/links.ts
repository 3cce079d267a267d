/** As many as Linux follows. */
const HOPS = 40;
/** Longest target of a link, in bytes: no system takes a longer path. */
export const LONGEST_TARGET = 4096;
/** All links of one source may take this many steps: ten for each entry that a source may have. */
const MOST_STEPS = 1_000_000;
/** A lookup costs one step for this many names of its path. */
const NAMES_A_STEP = 32;

/** What a link of a source leads to. `path` is that of a file which is no link itself. */
export type LinkEnd =
  | { is: "file"; path: string }
  /** `circle`: links that lead to each other, or too many of them. */
  | { is: "folder" | "outside" | "nothing" | "circle" };

type KindOf = (path: string) => "file" | "folder" | undefined;

/** A place below the root, which is undefined. What several links lead to is in memory once. */
interface Place {
  name: string;
  above: Place | undefined;
  depth: number;
}

/** The state of following one path. */
interface Walk {
  at: Place | undefined;
  file?: string;
  isMissing: boolean;
  hops: number;
  /** Set when the walk ends early, with the reason. */
  stop?: "outside" | "circle";
  /** It went no further for what came before it, so it says nothing about itself. */
  isCut?: boolean;
}

/**
 * Follows links as the system would, by what lies in their source alone: a step above the root counts as leaving it, even
 * where the next one leads back, or where something on the way is missing. `links` are all links of the source, with their
 * targets; `kindOf` tells what lies at any other path, `undefined` for nothing. Paths are relative to the root and have
 * forward slashes. The end of each link is remembered. Total; undefined once all links together have taken more than `most`
 * steps.
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

  /** `nested`: links that are being followed. */
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

  /** Follows one link that lies in the folder `above`, with a hop count of its own. */
  #endOf(link: string, target: string, above: Place | undefined, nested: number): Walk {
    const known = this.#known.get(link);
    if (known) return known;
    if (target.startsWith("/")) return { at: above, isMissing: false, hops: 0, stop: "outside" };
    if (nested > HOPS) return { at: above, isMissing: false, hops: 1, stop: "circle", isCut: true };
    const isPath = target !== "" && target.length <= LONGEST_TARGET;
    const walk: Walk = { at: above, isMissing: !isPath, hops: 1 };
    if (isPath) this.#take(walk, target, nested);
    // The outermost link was followed to its end, whatever came after it.
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

function pathTo(place: Place): string {
  const names: string[] = [];
  for (let at: Place | undefined = place; at; at = at.above) names.push(at.name);
  return names.toReversed().join("/");
}
