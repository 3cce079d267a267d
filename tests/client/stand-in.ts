import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { vi } from "vitest";

export interface Asked {
  url: string;
  body: unknown;
  response: ServerResponse;
  /** Resolves when the caller is gone. */
  left: Promise<void>;
}

export interface StandIn {
  base: string;
  asked: Asked[];
  stop: () => Promise<void>;
}

/** A server over a real socket that answers as the test says: failures of the wire cannot be asked of the real one. */
export async function standIn(answer: (asked: Asked) => void): Promise<StandIn> {
  const asked: Asked[] = [];
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const left = new Promise<void>((resolve) => response.once("close", resolve));
    const text = await read(request);
    const one = { url: request.url ?? "", body: text === "" ? undefined : JSON.parse(text), response, left };
    asked.push(one);
    answer(one);
  }
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    base: `http://127.0.0.1:${port}`,
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function read(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request) text += String(piece);
  return text;
}

export function openStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
}

export function tell(response: ServerResponse, id: number, event: string, data: unknown): void {
  response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\nid: ${id}\n\n`);
}

/** What the event-source library asks of a browser beside fetch. */
export function pretendBrowser(): void {
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("document", { hidden: false, addEventListener: () => {}, removeEventListener: () => {} });
}
