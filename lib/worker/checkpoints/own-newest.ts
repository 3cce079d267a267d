/** The newest checkpoints that a run has read or put: it need not ask its host for them. */
import type { CheckpointScope, CheckpointWrite } from "../../protocol/checkpoints.ts";
import type { RunOrder } from "../../protocol/worker.ts";
import { setNewest } from "../../rules/set-newest.ts";
import { checkpointKeyOf, type Head, keyOf } from "./heads.ts";

/** Writes of one checkpoint, by task and index. */
type Writes = Map<string, CheckpointWrite>;

interface Newest {
  head: Head;
  writes: Writes;
}

export interface OwnNewest {
  /** Returns the newest checkpoint of a scope; undefined if this run does not know it. With `id`, only if it is that one. */
  get(scope: CheckpointScope, id: string | undefined): { head: Head; writes: CheckpointWrite[] } | undefined;
  /** Returns what the order said of the graph's own newest checkpoint, until the run has read it or changed anything. */
  ordered(): RunOrder["head"];
  /** Notes that the host has returned the newest checkpoint. */
  read(head: Head, writes: readonly CheckpointWrite[]): void;
  /** Notes that this run has put a checkpoint that was not there, which is the newest if its id is the greatest. */
  put(head: Head): void;
  /** Notes that this run has put a checkpoint that was there. It keeps its writes, and this run may not know them. */
  putAgain(head: Head): void;
  /**
   * Notes writes of a checkpoint, which may be put later: those of special kinds replace others, and of all others the first
   * stays.
   */
  write(scope: CheckpointScope, id: string, writes: readonly CheckpointWrite[]): void;
  forget(scope: CheckpointScope): void;
  forgetAll(): void;
}

/** The number of scopes whose newest checkpoint is held. The host is asked for those of the others. */
const MOST = 256;
/** The number of checkpoints whose writes are held while they are not known. */
const MOST_EARLY = 64;

/** `head` is that of the run's order. */
export function ownNewest(head?: RunOrder["head"]): OwnNewest {
  let ordered = head;
  const known = new Map<string, Newest>();
  const early = new Map<string, Writes>();
  const set = (newest: Head, writes: Writes): void => {
    ordered = undefined;
    setNewest(known, keyOf(newest), { head: newest, writes }, MOST);
  };
  return {
    ordered: () => ordered,
    get(scope, id) {
      const newest = known.get(keyOf(scope));
      if (!newest || (id !== undefined && id !== newest.head.id)) return undefined;
      return { head: newest.head, writes: [...newest.writes.values()].toSorted(byTaskAndIndex) };
    },
    read: (newest, writes) => set(newest, new Map(writes.map((write) => [positionOf(write), write]))),
    put(newest) {
      const before = known.get(keyOf(newest));
      if (before && before.head.id > newest.id) return;
      const key = checkpointKeyOf(newest, newest.id);
      set(newest, early.get(key) ?? new Map<string, CheckpointWrite>());
      early.delete(key);
    },
    putAgain(newest) {
      ordered = undefined;
      const before = known.get(keyOf(newest));
      if (before?.head.id === newest.id) set(newest, before.writes);
    },
    write(scope, id, writes) {
      ordered = undefined;
      const newest = known.get(keyOf(scope));
      const key = checkpointKeyOf(scope, id);
      const held = newest?.head.id === id ? newest.writes : (early.get(key) ?? new Map<string, CheckpointWrite>());
      for (const write of writes) {
        const position = positionOf(write);
        if (write.index < 0 || !held.has(position)) held.set(position, write);
      }
      if (newest?.head.id !== id) setNewest(early, key, held, MOST_EARLY);
    },
    forget(scope) {
      ordered = undefined;
      known.delete(keyOf(scope));
    },
    forgetAll() {
      ordered = undefined;
      known.clear();
      early.clear();
    },
  };
}

function positionOf({ task, index }: CheckpointWrite): string {
  return `${task} ${index}`;
}

/** The order in which the host returns writes. Ids of tasks are plain ASCII, which both sides order alike. */
function byTaskAndIndex(a: CheckpointWrite, b: CheckpointWrite): number {
  if (a.task !== b.task) return a.task < b.task ? -1 : 1;
  return a.index - b.index;
}
