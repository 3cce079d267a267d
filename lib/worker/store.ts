/** The long-term store that graphs see: in the memory of this process, until the host keeps it. */
import type { BaseStore } from "@langchain/langgraph";
import type { LangGraph } from "./langgraph.ts";

export function processStore(langgraph: LangGraph): BaseStore {
  if (langgraph.AsyncBatchedStore) letStoreSleep(langgraph.AsyncBatchedStore.prototype);
  return new langgraph.InMemoryStore();
}

type Operation = Parameters<BaseStore["batch"]>[0][number];

/** The parts of LangGraph's own wrapper around a store that are replaced here. */
interface Batching {
  store?: BaseStore;
  running?: boolean;
  start?: () => unknown;
  stop?: () => Promise<unknown>;
  enqueueOperation?: (operation: Operation) => Promise<unknown>;
}

/**
 * LangGraph wraps the store of every run in a queue and looks into it once a millisecond for as long as the run lasts:
 * 0.7 ms more for a short run, and a timer storm for a thousand that wait for their model. Here an operation is sent
 * with those of the same tick, and nobody looks otherwise. Left alone when the wrapper has another shape.
 */
function letStoreSleep(wrapper: object): void {
  const batching: Batching = wrapper;
  if (!batching.start || !batching.stop || !batching.enqueueOperation) return;
  const batches = new WeakMap<Batching, { operations: Operation[]; results: Promise<unknown[]> }>();
  const unfinished = new WeakMap<Batching, Promise<unknown>>();

  batching.start = function start(this: Batching) {
    this.running = true;
  };
  batching.stop = async function stop(this: Batching) {
    this.running = false;
    await unfinished.get(this);
  };
  batching.enqueueOperation = async function enqueueOperation(this: Batching, operation: Operation) {
    let batch = batches.get(this);
    if (!batch) {
      const operations: Operation[] = [];
      const results = Promise.resolve().then(async (): Promise<unknown[]> => {
        batches.delete(this);
        return (await this.store?.batch(operations)) ?? [];
      });
      batch = { operations, results };
      batches.set(this, batch);
      unfinished.set(this, Promise.allSettled([unfinished.get(this), results]).then(forget));
    }
    const index = batch.operations.push(operation) - 1;
    return (await batch.results)[index];
  };
}

/** So that a chain of results does not keep them all. */
function forget(): void {}
