/** Adapts LangGraph's own wrapper around the store of a run to a store in another process. */
import type { BaseStore, Operation } from "@langchain/langgraph";
import { isTurnDue, takeTurn } from "../turns.ts";

/** The members of the wrapper that are replaced here. */
interface Batching {
  store?: BaseStore;
  running?: boolean;
  start?: () => unknown;
  stop?: () => Promise<unknown>;
  enqueueOperation?: (operation: Operation) => Promise<unknown>;
  batch?: (operations: Operation[]) => Promise<unknown[]>;
  get?: BaseStore["get"];
  put?: BaseStore["put"];
  search?: BaseStore["search"];
  delete?: BaseStore["delete"];
}

/**
 * LangGraph wraps the store of every run in a queue and polls it once a millisecond for as long as the run lasts: 0.7
 * ms more for a short run, and a timer storm for a thousand that wait for their model. Here the operations of one tick
 * are sent together, and nothing polls. The wrapper also has no `batch` and no `listNamespaces`, checks no namespace
 * and loses what `put` is told to index; with a `batch`, the methods of the base class do all of that. It does not stop the store that
 * it wraps, which is done here at the end of every loop. A wrapper of another shape is left alone.
 *
 * A loop starts its store before each step unless it is running, and waits for that. So a store does not count as running
 * when it is time for a turn of the event loop, and its start takes that turn.
 */
export function batchByTick(wrapper: object, base: BaseStore): void {
  const batching: Batching = wrapper;
  if (!batching.start || !batching.stop || !batching.enqueueOperation) return;
  const batches = new WeakMap<Batching, { operations: Operation[]; results: Promise<unknown[]> }>();
  const unfinished = new WeakMap<Batching, Promise<unknown>>();

  Object.defineProperty(wrapper, "isRunning", {
    get(this: Batching) {
      return this.running === true && !isTurnDue();
    },
  });
  batching.start = async function start(this: Batching) {
    if (this.running) await takeTurn();
    this.running = true;
  };
  batching.stop = async function stop(this: Batching) {
    this.running = false;
    await unfinished.get(this);
    await this.store?.stop();
  };
  const enqueue = async function enqueueOperation(this: Batching, operation: Operation): Promise<unknown> {
    let batch = batches.get(this);
    if (!batch) {
      const operations: Operation[] = [];
      const results = Promise.resolve().then(async (): Promise<unknown[]> => {
        batches.delete(this);
        return (await this.store?.batch(operations)) ?? [];
      });
      batch = { operations, results };
      batches.set(this, batch);
      unfinished.set(this, Promise.allSettled([unfinished.get(this), results]).then(discard));
    }
    const index = batch.operations.push(operation) - 1;
    return (await batch.results)[index];
  };
  batching.enqueueOperation = enqueue;
  batching.batch = function batch(this: Batching, operations: Operation[]) {
    return Promise.all(operations.map((operation) => enqueue.call(this, operation)));
  };
  const { get, put, search, delete: remove } = base;
  Object.assign(batching, { get, put, search, delete: remove });
}

/** Drops results, so that a chain of them does not keep them all. */
function discard(): void {}
