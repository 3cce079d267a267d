import { forksTo, type HistoryEntry, placeOf } from "../rules/threads/branches.ts";
import type { Chat } from "./chat.ts";
import type { ShownFork } from "./chat-state.ts";
import { messageIdsAt, readEntries } from "./thread-history.ts";

/** The newest forks of a conversation, whose places are read. Each costs a request, once. */
const MOST_FORKS = 20;
/** Forks that are more checkpoints ago are not looked for. */
const MOST_ENTRIES = 5000;

/** Reads the branches of a chat's thread. Checkpoints never change, so each is read once. */
export function createBranchReader({ api, thread, state, set }: Chat) {
  const entries = new Map<string, HistoryEntry>();
  const idsAt = new Map<string | undefined, ReadonlySet<string>>([[undefined, new Set()]]);

  async function idsBefore(at: string | undefined): Promise<ReadonlySet<string>> {
    const ids = idsAt.get(at) ?? (await messageIdsAt(api, thread, at ?? ""));
    idsAt.set(at, ids);
    return ids;
  }

  async function publish(checkpoint: string | undefined): Promise<void> {
    const newest = newestOf(entries);
    const shown = checkpoint ?? newest;
    const forks = shown === undefined ? [] : forksTo(shown, [...entries.values()]).slice(-MOST_FORKS);
    const before = await Promise.all(forks.map((fork) => idsBefore(fork.at)));
    const { running, checkpoint: shownNow, exchanges } = state();
    // The chat shows another branch by now, so the branches are read again.
    if (running || shownNow !== checkpoint) return;
    const turns = exchanges.map((one) => one.turn);
    const placed = forks.flatMap((fork, index): ShownFork[] => {
      const place = placeOf(turns, before[index] ?? new Set());
      return place ? [{ ...fork, ...place }] : [];
    });
    set({ forks: placed, newest });
  }

  /** Puts the forks on the way to the shown checkpoint into the chat's state. Throws a `RequestFailure`. */
  return async function read(checkpoint: string | undefined): Promise<void> {
    // A branch that was switched to is known already.
    if (state().newest !== undefined) await publish(checkpoint);
    for (const entry of await readEntries(api, thread, { known: entries, most: MOST_ENTRIES }))
      entries.set(entry.id, entry);
    await publish(checkpoint);
  };
}

function newestOf(entries: ReadonlyMap<string, HistoryEntry>): string | undefined {
  let newest: string | undefined;
  for (const id of entries.keys()) if (newest === undefined || id > newest) newest = id;
  return newest;
}
