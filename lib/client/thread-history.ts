import { isObject } from "../protocol/json.ts";
import { type HistoryEntry, stateBefore } from "../rules/threads/branches.ts";
import { checkpointIdOf } from "../rules/threads/read-state.ts";
import type { ThreadApi, ThreadSnapshot } from "./threads.ts";

/** Positions alone, which the server knows without the states. */
const OUTLINE = ["checkpoint", "parent_checkpoint", "metadata"];
/** The messages of a state without their contents, which may be megabytes. */
const MESSAGE_IDS = ["values.messages[].id"];
/** Most threads are short, or have few new checkpoints since the last time. */
const FIRST_PAGE = 50;
const PAGE = 500;

/** Reads the newest checkpoints of a thread, until a page has one that is `known`. Throws a `RequestFailure`. */
export async function readEntries(
  api: ThreadApi,
  thread: string,
  { known, most = Infinity }: { known?: ReadonlyMap<string, HistoryEntry>; most?: number } = {},
): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  let cursor: string | undefined;
  do {
    const limit = entries.length === 0 ? FIRST_PAGE : PAGE;
    const page = (await api.history(thread, { limit, before: cursor, select: OUTLINE })).map(entryOf);
    const news = page.filter((one) => !known?.has(one.id));
    entries.push(...news);
    cursor = news.length === limit ? page.at(-1)?.id : undefined;
  } while (cursor !== undefined && entries.length < most);
  return entries;
}

/** Returns the ids of the messages at a checkpoint. Throws a `RequestFailure`. */
export async function messageIdsAt(api: ThreadApi, thread: string, checkpoint: string): Promise<ReadonlySet<string>> {
  const { values } = await api.state(thread, checkpoint, MESSAGE_IDS);
  const messages: readonly unknown[] = isObject(values) && Array.isArray(values.messages) ? values.messages : [];
  return new Set(messages.flatMap((one) => (isObject(one) && typeof one.id === "string" ? [one.id] : [])));
}

/** The place in a thread's history at which a message came into its state. */
export interface MessageOrigin {
  /** The first checkpoint that has it. */
  readonly first: string;
  /** The last state before it, at which a run does not see it. Absent if there is none. */
  readonly before?: string;
}

/** The ends of branches, newest first, in which a message is looked for that the shown one does not have. */
const MOST_ENDS = 20;

/**
 * Finds the checkpoint at which a message came into the state, on the way to the checkpoint `shown`, or else to the end of
 * the newest branch that has it. Undefined if none has. Throws a `RequestFailure`.
 */
export async function originOf(
  api: ThreadApi,
  thread: string,
  message: string,
  shown?: string,
): Promise<MessageOrigin | undefined> {
  const entries = new Map((await readEntries(api, thread)).map((one) => [one.id, one]));
  const has = async (checkpoint: string): Promise<boolean> =>
    (await messageIdsAt(api, thread, checkpoint)).has(message);
  for (const end of endsOf(entries, shown)) {
    if (!(await has(end))) continue;
    const first = await firstWith(wayTo(end, entries), has);
    // Runs that continue the state before an input are siblings. Before the first input of a thread there is none.
    const before = stateBefore(first, entries) ?? entries.get(first)?.parent;
    return { first, ...(before !== undefined && { before }) };
  }
  return undefined;
}

function endsOf(entries: ReadonlyMap<string, HistoryEntry>, shown: string | undefined): readonly string[] {
  const continued = new Set(Array.from(entries.values(), (one) => one.parent));
  // Ids grow with time.
  const ends = [...entries.keys()].filter((id) => !continued.has(id)).toSorted((a, b) => (a < b ? 1 : -1));
  return [...(shown === undefined || !entries.has(shown) ? [] : [shown]), ...ends.slice(0, MOST_ENDS)];
}

/** Returns a checkpoint and those before it, back to the first one. */
function wayTo(end: string, entries: ReadonlyMap<string, HistoryEntry>): readonly string[] {
  const way = new Set<string>();
  for (let id: string | undefined = end; id !== undefined && entries.has(id) && !way.has(id);) {
    way.add(id);
    id = entries.get(id)?.parent;
  }
  return [...way];
}

/**
 * Returns the oldest checkpoint of a way that has something which its newest one has, and which is never lost again. The
 * steps back grow at first, because most questions are about the last messages.
 */
async function firstWith(way: readonly string[], has: (checkpoint: string) => Promise<boolean>): Promise<string> {
  const hasAt = async (index: number): Promise<boolean> => {
    const id = way[index];
    return id !== undefined && (await has(id));
  };
  let withIt = 0;
  let step = 1;
  while (await hasAt(withIt + step)) {
    withIt += step;
    step *= 2;
  }
  let without = Math.min(way.length, withIt + step);
  while (without - withIt > 1) {
    const middle = Math.floor((withIt + without) / 2);
    if (await hasAt(middle)) withIt = middle;
    else without = middle;
  }
  return way[withIt] ?? "";
}

function entryOf({ checkpoint, parent_checkpoint, metadata }: ThreadSnapshot): HistoryEntry {
  const parent = checkpointIdOf(parent_checkpoint);
  const isInput = isObject(metadata) && metadata.source === "input";
  return { id: checkpointIdOf(checkpoint) ?? "", isInput, ...(parent !== undefined && { parent }) };
}

/**
 * Gives a thread another title, unless a person has renamed it. A title that cannot be changed stays: it is no reason to
 * stop.
 */
export async function retitle(api: ThreadApi, thread: string, before: string, after: string): Promise<void> {
  if (after === "" || before === after) return;
  try {
    const { metadata } = await api.get(thread);
    if (isObject(metadata) && metadata.title === before) await api.rename(thread, after);
  } catch {
    // The request that follows tells what is wrong.
  }
}
