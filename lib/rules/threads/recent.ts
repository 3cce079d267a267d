import { isObject, parseJson } from "../../protocol/json.ts";

/** The pages that show one thread. */
const PLACES = ["chat", "studio", "thread"] as const;

/** A thread that a person opened. */
export interface RecentThread {
  readonly id: string;
  readonly title: string;
  /** The page where it was opened last. */
  readonly where: (typeof PLACES)[number];
  /** The graph of the Studio page. */
  readonly graph?: string;
}

export const MOST_RECENT = 8;
const LONGEST_TITLE = 80;
const LONGEST_ID = 100;

/** Puts a thread first. The list never holds a thread twice, nor more than `MOST_RECENT`. */
export function addRecent(list: readonly RecentThread[], thread: RecentThread): RecentThread[] {
  const { id, title, where, graph } = thread;
  const kept = { id, title: title.slice(0, LONGEST_TITLE), where, ...(graph !== undefined && { graph }) };
  return [kept, ...removeRecent(list, id)].slice(0, MOST_RECENT);
}

export function removeRecent(list: readonly RecentThread[], id: string): RecentThread[] {
  return list.filter((one) => one.id !== id);
}

/** Reads a list as it was stored. Anything else that stands there is skipped, because other code can write it too. */
export function parseRecent(text: string | null): RecentThread[] {
  const parsed = text === null ? undefined : parseJson(text);
  if (!Array.isArray(parsed)) return [];
  const found = parsed.filter(isRecent);
  return found.toReversed().reduce(addRecent, []);
}

function isRecent(value: unknown): value is RecentThread {
  if (!isObject(value)) return false;
  const { id, title, where, graph } = value;
  const isNamed = typeof id === "string" && id !== "" && id.length <= LONGEST_ID && typeof title === "string";
  return isNamed && PLACES.some((one) => one === where) && (graph === undefined || typeof graph === "string");
}

/** Returns the path and query of a thread's page, below that of its deployment. */
export function threadPath({ id, where, graph }: Omit<RecentThread, "title">): string {
  if (where === "chat") return `/chat?thread=${encodeURIComponent(id)}`;
  if (where === "studio" && graph !== undefined)
    return `/studio/${encodeURIComponent(graph)}?thread=${encodeURIComponent(id)}`;
  return `/threads/${encodeURIComponent(id)}`;
}
