import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Embeddings {
  readonly url: string;
  /** What it was asked so far. */
  readonly asked: { key: unknown; body: unknown }[];
  close(): void;
}

/** An embeddings service in miniature: of each text how many letters a and b it has. */
export async function startEmbeddings(): Promise<Embeddings> {
  const asked: Embeddings["asked"] = [];
  const service = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (piece: string) => (text += piece));
    request.on("end", () => {
      const body = JSON.parse(text) as { input: string[] };
      asked.push({ key: request.headers.authorization, body });
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
  return { url: `http://127.0.0.1:${port}/v1/`, asked, close: () => void service.close() };
}
