import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { vi } from "vitest";

export interface ReceivedRequest {
  url: string;
  body: unknown;
  response: ServerResponse;
  /** Resolves when the caller has closed the connection. */
  left: Promise<void>;
}

export interface StubServer {
  base: string;
  requests: ReceivedRequest[];
  stop: () => Promise<void>;
}

/** Starts a server whose answers the test decides. The real server cannot be made to break a connection. */
export async function startStubServer(answer: (request: ReceivedRequest) => void): Promise<StubServer> {
  const requests: ReceivedRequest[] = [];
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const left = new Promise<void>((resolve) => response.once("close", resolve));
    const text = await read(request);
    const one = { url: request.url ?? "", body: text === "" ? undefined : JSON.parse(text), response, left };
    requests.push(one);
    answer(one);
  }
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    base: `http://127.0.0.1:${port}`,
    requests,
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

export function writeEvent(response: ServerResponse, id: number, event: string, data: unknown): void {
  response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\nid: ${id}\n\n`);
}

/** Stubs the globals of a browser that the event-source library needs in addition to fetch. */
export function stubBrowser(): void {
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("document", { hidden: false, addEventListener: () => {}, removeEventListener: () => {} });
}
