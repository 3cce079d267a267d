/** Opens Node's inspector on a free port when a process starts. Server and worker ignore SIGUSR1, which would open it later. */
export const INSPECTED = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

const LISTENING = /Debugger listening on (ws:\S+)/g;

export interface Inspector {
  /** Calls a method of the Chrome DevTools Protocol (https://chromedevtools.github.io/devtools-protocol/v8/). */
  call(method: string, params?: object): Promise<unknown>;
  close(): void;
}

/** Connects to processes that were started with `INSPECTED` and print to the same output, in the order of their start. */
export async function inspect({ output }: { output(): string }): Promise<Inspector[]> {
  const addresses = [...output().matchAll(LISTENING)].flatMap(([, address]) => address ?? []);
  if (addresses.length === 0) throw new Error("no process was started with INSPECTED");
  return await Promise.all(addresses.map(connect));
}

async function connect(address: string): Promise<Inspector> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.addEventListener("message", ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  const closed = new Promise<never>((_, reject) =>
    socket.addEventListener("close", () => reject(new Error("the inspector closed the connection"))),
  );
  closed.catch(() => undefined);
  let calls = 0;
  return {
    async call(method, params) {
      const id = ++calls;
      const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
      socket.send(JSON.stringify({ id, method, params }));
      const { result, error } = await Promise.race([closed, answered]);
      if (error) throw new Error(`${method}: ${error.message}`);
      return result;
    },
    close: () => socket.close(),
  };
}

interface Answer {
  id: number;
  result?: unknown;
  error?: { message: string };
}
