import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Embeddings {
  readonly url: string;
  /** The requests received so far. */
  readonly requests: { key: unknown; body: unknown }[];
  close(): void;
}

/** A small embeddings service: the vector of a text counts its letters a and b. */
export async function startEmbeddings(): Promise<Embeddings> {
  const requests: Embeddings["requests"] = [];
  const service = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (piece: string) => (text += piece));
    request.on("end", () => {
      const body = JSON.parse(text) as { input: string[] };
      requests.push({ key: request.headers.authorization, body });
      if (body.input.includes("fail")) return response.writeHead(429).end("sk-secret is out of money");
      const data = body.input.map((one, index) => ({
        index,
        embedding: ["a", "b"].map((x) => one.split(x).length - 1),
      }));
      return response.end(JSON.stringify({ data: data.toReversed() }));
    });
  });
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  const { port } = service.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1/`, requests, close: () => void service.close() };
}
