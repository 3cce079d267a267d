import type { Turn } from "./transcript.ts";

/** A checkpoint of a thread's history. `parent` is absent if it has none. */
export interface HistoryEntry {
  readonly id: string;
  readonly parent?: string;
  /** Set if it holds the input of a run, which the state has at the next checkpoint only. */
  readonly isInput?: boolean;
}

/** A place on the way to the shown checkpoint where the thread has several branches. */
export interface Fork {
  /** The last state that the branches share; absent if they part at the beginning of the thread. */
  readonly at?: string;
  /** The newest end of each branch, oldest branch first. */
  readonly leaves: readonly string[];
  /** The index of the shown branch. */
  readonly current: number;
}

/**
 * Returns the forks from the beginning of a thread to the shown checkpoint. Clients fork before or after a checkpoint that
 * holds an input, which makes no difference here. Ids of checkpoints grow with time, so the order of the entries does not
 * matter. Total: parents may be missing or form a circle.
 */
export function forksTo(shown: string, entries: readonly HistoryEntry[]): Fork[] {
  const parents = statesOnly(entries);
  const children = new Map<string | undefined, string[]>();
  for (const [id, parent] of parents) {
    const siblings = children.get(parent);
    if (siblings) siblings.push(id);
    else children.set(parent, [id]);
  }
  const leafOf = newestLeaves(parents, children);
  const forks: Fork[] = [];
  const seen = new Set<string>();
  let id: string | undefined = parents.has(shown)
    ? shown
    : stateBefore(shown, new Map(entries.map((one) => [one.id, one])));
  while (id !== undefined && parents.has(id) && !seen.has(id)) {
    seen.add(id);
    const at: string | undefined = parents.get(id);
    const branches = (children.get(at) ?? []).toSorted();
    if (branches.length > 1) {
      const leaves = branches.map((one) => leafOf.get(one) ?? one);
      forks.unshift({ ...(at !== undefined && { at }), leaves, current: branches.indexOf(id) });
    }
    id = at;
  }
  return forks;
}

/** Returns each checkpoint with the state before it. Inputs are left out if a step of their run follows. */
function statesOnly(entries: readonly HistoryEntry[]): ReadonlyMap<string, string | undefined> {
  const byId = new Map(entries.map((one) => [one.id, one]));
  const continued = new Set(entries.map((one) => one.parent));
  const states = entries.filter((one) => !one.isInput || !continued.has(one.id));
  return new Map(states.map(({ id }) => [id, stateBefore(id, byId)]));
}

/** Returns the newest checkpoint before this one that is no input; undefined if there is none. */
export function stateBefore(id: string, entries: ReadonlyMap<string, HistoryEntry>): string | undefined {
  const seen = new Set([id]);
  let parent = entries.get(id)?.parent;
  while (parent !== undefined && entries.get(parent)?.isInput) {
    if (seen.has(parent)) return undefined;
    seen.add(parent);
    parent = entries.get(parent)?.parent;
  }
  return parent;
}

/** Returns the newest leaf below each checkpoint. */
function newestLeaves(
  parents: ReadonlyMap<string, string | undefined>,
  children: ReadonlyMap<string | undefined, readonly string[]>,
): ReadonlyMap<string, string> {
  const leafOf = new Map<string, string>();
  const leaves = [...parents.keys()].filter((id) => !children.has(id)).toSorted((a, b) => (a < b ? 1 : -1));
  for (const leaf of leaves) {
    let id: string | undefined = leaf;
    while (id !== undefined && parents.has(id) && !leafOf.has(id)) {
      leafOf.set(id, leaf);
      id = parents.get(id);
    }
  }
  return leafOf;
}

/** The place in a conversation where branches part: at a question, or within an answer. */
export interface ForkPlace {
  readonly turn: string;
  readonly within: "question" | "answer";
}

/** Returns the place of the first message that is not among those before a fork; the end if there is none. */
export function placeOf(turns: readonly Turn[], before: ReadonlySet<string>): ForkPlace | undefined {
  for (const { id, question, attachments, messages } of turns) {
    const isAsked = question !== "" || attachments !== undefined;
    if (isAsked && !before.has(id)) return { turn: id, within: "question" };
    if (messages.some((message) => !before.has(message.id))) return { turn: id, within: "answer" };
  }
  const last = turns.at(-1);
  return last && { turn: last.id, within: "answer" };
}
