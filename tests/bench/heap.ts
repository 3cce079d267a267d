import { inspect } from "./inspector.ts";

export interface Heap {
  /** Resolves with the bytes in use after a full garbage collection, including buffers outside of the heap. */
  live(): Promise<number>;
  close(): void;
}

/** Connects to the inspector of a server that was started with `INSPECTED`. Resident memory would include garbage. */
export async function inspectHeap(server: { output(): string }): Promise<Heap> {
  const [inspector] = await inspect(server);
  if (!inspector) throw new Error("the server was not started with INSPECTED");
  return {
    async live() {
      // Objects that the first collection finalizes are freed by the second.
      await inspector.call("HeapProfiler.collectGarbage");
      await inspector.call("HeapProfiler.collectGarbage");
      const usage = (await inspector.call("Runtime.getHeapUsage")) as { usedSize: number; backingStorageSize?: number };
      return usage.usedSize + (usage.backingStorageSize ?? 0);
    },
    close: () => inspector.close(),
  };
}
