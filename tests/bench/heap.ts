/** Opens Node's inspector on a free port when a process starts. The server ignores SIGUSR1, which would open it later. */
export const INSPECTED = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

const LISTENING = /Debugger listening on (ws:\S+)/;

export interface Heap {
  /** Resolves with the bytes in use after a full garbage collection, including buffers outside of the heap. */
  live(): Promise<number>;
  close(): void;
}

/** Connects to the inspector of a server that was started with `INSPECTED`. Resident memory would include garbage. */
export async function inspectHeap(server: { output(): string }): Promise<Heap> {
  const address = LISTENING.exec(server.output())?.[1];
  if (address === undefined) throw new Error("the server was not started with INSPECTED");
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  const waiting = new Map<number, (result: Record<string, number>) => void>();
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: Record<string, number> };
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  const closed = new Promise<never>((_, reject) =>
    socket.addEventListener("close", () => reject(new Error("the inspector closed the connection"))),
  );
  closed.catch(() => undefined);
  let calls = 0;
  const call = (method: string): Promise<Record<string, number>> =>
    Promise.race([
      closed,
      new Promise<Record<string, number>>((resolve) => {
        const id = ++calls;
        waiting.set(id, resolve);
        socket.send(JSON.stringify({ id, method }));
      }),
    ]);
  return {
    async live() {
      // Objects that the first collection finalizes are freed by the second.
      await call("HeapProfiler.collectGarbage");
      await call("HeapProfiler.collectGarbage");
      const { usedSize = 0, backingStorageSize = 0 } = await call("Runtime.getHeapUsage");
      return usedSize + backingStorageSize;
    },
    close: () => socket.close(),
  };
}
