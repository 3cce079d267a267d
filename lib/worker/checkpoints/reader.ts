import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import type { CheckpointScope, CheckpointQuery, FoundCheckpoint, SameCheckpoint } from "../../protocol/checkpoints.ts";
import { passTimeOf } from "./clock.ts";
import { type Head, keyOf } from "./heads.ts";
import type { OwnNewest } from "./own-newest.ts";
import type { CheckpointRequests } from "./requests.ts";
import { tupleMaker } from "./tuples.ts";
import { type HeldValue, load, loadItems, type Serializer, type StoredAt, storedAt } from "./values.ts";
import type { CheckpointResources, Writer } from "./writer.ts";

/** Opens a reader. `exact` keeps the texts of items, and uses nothing that another run may have changed. */
export function openReader(
  { serde, requests, heads, newest, thread }: CheckpointResources,
  writer: Writer,
  exact: boolean,
) {
  const find = finder(requests, newest, thread);
  const { toTuple, versionsOf } = tupleMaker(serde, requests);
  const usable = async (head: Head | undefined) => (head && exact ? await loadedAnew(serde, head) : head);
  const toHead = async ({ checkpoint, versions }: FoundCheckpoint): Promise<Head> => {
    const named = await versionsOf(checkpoint);
    return { ...checkpoint, versions: named, values: await heldValues(serde, named, storedAt(versions), exact) };
  };
  return {
    async get(scope: CheckpointScope, id: string | undefined): Promise<CheckpointTuple | undefined> {
      await writer.stored();
      const own = newest.get(scope, id);
      const ownHead = await usable(own?.head);
      if (own && ownHead) return await toTuple(ownHead, own.writes, await valuesOf(serde, ownHead));
      const known = await usable(heads.get(scope));
      const answer = await find(scope, id, known?.id);
      if (!answer) return undefined;
      // The host answers `same` only if the request named a known checkpoint.
      const head = known && "same" in answer ? known : await toHead(answer as FoundCheckpoint);
      const writes = "same" in answer ? answer.writes : answer.checkpoint.writes;
      passTimeOf(head.id);
      const isOwn = scope.thread === thread;
      writer.continueFrom(head, id === undefined && isOwn);
      if (id === undefined) heads.set(head);
      if (id === undefined && isOwn) newest.read(head, writes);
      return await toTuple(head, writes, await valuesOf(serde, head));
    },

    async *list(query: CheckpointQuery): AsyncGenerator<CheckpointTuple> {
      let left = query.limit ?? Infinity;
      let after = query.after;
      await writer.stored();
      do {
        const limit = Number.isFinite(left) ? left : undefined;
        const page = await requests.list({ ...query, limit, after });
        const stored = new Map(page.channels.map((scope) => [keyOf(scope), storedAt(scope.versions)]));
        const items = new Map<string, unknown>();
        for (const checkpoint of page.checkpoints) {
          const values: Record<string, unknown> = {};
          for (const [channel, version] of await versionsOf(checkpoint)) {
            const value = stored.get(keyOf(checkpoint))?.(channel, version);
            if (!value) continue;
            values[channel] = "type" in value ? await load(serde, value) : await loadItems(serde, value, items);
          }
          yield await toTuple(checkpoint, checkpoint.writes, values);
        }
        left -= page.checkpoints.length;
        after = page.next;
      } while (after && left > 0);
    },
  };
}

/** Returns a function that asks the host for a checkpoint, unless the run's order has the answer. */
function finder(requests: CheckpointRequests, newest: OwnNewest, thread: string | undefined) {
  return async (
    scope: CheckpointScope,
    id: string | undefined,
    known: string | undefined,
  ): Promise<FoundCheckpoint | SameCheckpoint | null> => {
    const head = id === undefined && scope.thread === thread && scope.ns === "" ? newest.ordered() : undefined;
    if (head === null) return null;
    return head !== undefined && head === known ? { same: true, writes: [] } : await requests.get(scope, id, known);
  };
}

async function heldValues(
  serde: Serializer,
  named: ReadonlyMap<string, string>,
  stored: StoredAt,
  exact: boolean,
): Promise<Map<string, HeldValue>> {
  const values = new Map<string, HeldValue>();
  for (const [channel, version] of named) {
    const value = stored(channel, version);
    if (!value) continue;
    if ("type" in value) values.set(channel, { version, stored: value });
    else {
      const size = value.reduce((sum, text) => sum + text.length, 0);
      const items = await loadItems(serde, value);
      values.set(channel, { version, list: { items, size, ...(exact && { texts: value }) } });
    }
  }
  return values;
}

/**
 * Returns a held checkpoint with items that are loaded from their texts: no other run has changed them in place.
 * Undefined if their texts are not held.
 */
async function loadedAnew(serde: Serializer, head: Head): Promise<Head | undefined> {
  const values = new Map<string, HeldValue>();
  for (const [channel, value] of head.values) {
    if (!("list" in value)) values.set(channel, value);
    else if (!value.list.texts) return undefined;
    else values.set(channel, { ...value, list: { ...value.list, items: await loadItems(serde, value.list.texts) } });
  }
  return { ...head, values };
}

/** Returns copies of lists, because a graph may add to one in place and must not change what is held. */
async function valuesOf(serde: Serializer, { values }: Head): Promise<Record<string, unknown>> {
  const loaded: Record<string, unknown> = {};
  for (const [channel, value] of values)
    loaded[channel] = "list" in value ? [...value.list.items] : await load(serde, value.stored);
  return loaded;
}
