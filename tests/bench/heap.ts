/** Opens Node's inspector on any free port: a server does not open it while it runs, whoever asks. */
export const INSPECTED = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

const LISTENING = /Debugger listening on (ws:\S+)/;

export interface Heap {
  /** Bytes in use after a full garbage collection, those of buffers outside of the heap included. */
  live(): Promise<number>;
  close(): void;
}

/** Asks the inspector of a server that was started with `INSPECTED`: resident memory would count garbage too. */
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
  let calls = 0;
  const call = (method: string): Promise<Record<string, number>> =>
    new Promise((resolve) => {
      const id = ++calls;
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method }));
    });
  return {
    async live() {
      // Twice: what the first round finalizes is free after the second.
      await call("HeapProfiler.collectGarbage");
      await call("HeapProfiler.collectGarbage");
      const { usedSize = 0, backingStorageSize = 0 } = await call("Runtime.getHeapUsage");
      return usedSize + backingStorageSize;
    },
    close: () => socket.close(),
  };
}
