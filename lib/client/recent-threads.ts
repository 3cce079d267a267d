/** The threads that this browser's user opened last, by deployment. They stay in this browser. */
import { createEmitter } from "../rules/emitter.ts";
import { addRecent, parseRecent, type RecentThread, removeRecent } from "../rules/threads/recent.ts";

const PREFIX = "graphlib.recent ";
const changes = createEmitter();
/** The lists as they were read last, with their text: a subscriber needs the same object for the same list. */
const lists = new Map<string, { text: string | null; list: readonly RecentThread[] }>();

/** Stores that a thread was opened, and its title. A thread that is known already moves to the front. */
export function rememberThread(deployment: string, thread: RecentThread): void {
  store(deployment, addRecent(recentThreads(deployment), thread));
}

/** Removes a thread that no longer exists. */
export function forgetThread(deployment: string, id: string): void {
  const list = recentThreads(deployment);
  if (list.some((one) => one.id === id)) store(deployment, removeRecent(list, id));
}

/** Removes all lists, and what else the tab has stored, because the next user of this browser may be another person. */
export function forgetUser(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
    sessionStorage.clear();
  } catch {
    // Without storage there is nothing to remove.
  }
  changes.emit();
}

/** Returns the threads of a deployment, the last opened one first. */
export function recentThreads(deployment: string): readonly RecentThread[] {
  const text = read(PREFIX + deployment);
  const known = lists.get(deployment);
  if (known?.text === text) return known.list;
  const list = parseRecent(text);
  lists.set(deployment, { text, list });
  return list;
}

/** Calls the listener when a list changes, in this tab or in another one. Returns a function that ends that. */
export function onRecentThreads(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent): void => {
    if (key === null || key.startsWith(PREFIX)) listener();
  };
  window.addEventListener("storage", onStorage);
  const leave = changes.on(listener);
  return () => {
    leave();
    window.removeEventListener("storage", onStorage);
  };
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(deployment: string, list: readonly RecentThread[]): void {
  const text = JSON.stringify(list);
  if (text === read(PREFIX + deployment)) return;
  try {
    localStorage.setItem(PREFIX + deployment, text);
  } catch {
    // A browser without storage, or with a full one, remembers nothing.
  }
  changes.emit();
}
