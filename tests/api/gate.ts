import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An address that answers once it is opened. Graphs of the tests wait for it. */
export interface Gate {
  readonly url: string;
  /** The path of each request so far. */
  readonly paths: readonly string[];
  /** Resolves when a request waits. */
  reached(): Promise<void>;
  /** Resolves when there were this many requests in all. */
  counted(requests: number): Promise<void>;
  /** Answers all waiting and all later requests. */
  open(): void;
  close(): Promise<void>;
}

export async function openGate(): Promise<Gate> {
  const waiting: ServerResponse[] = [];
  const paths: string[] = [];
  let isOpen = false;
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    if (isOpen) response.end("open");
    else waiting.push(response);
    server.emit("reached");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    paths,
    async reached() {
      if (waiting.length === 0 && !isOpen) await once(server, "reached");
    },
    async counted(requests) {
      while (paths.length < requests) await once(server, "reached");
    },
    open() {
      isOpen = true;
      for (const response of waiting.splice(0)) response.end("open");
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
