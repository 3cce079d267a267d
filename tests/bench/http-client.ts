import { Agent, request } from "node:http";

/** A client that costs little itself: plain HTTP/1.1 over kept connections. */
export function httpClient(connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    /** Posts JSON and reads the answer to its end, calling back with every piece. */
    post: (url: string, body: string, onPiece: (piece: Buffer) => void): Promise<void> =>
      new Promise((resolve, reject) => {
        const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
        const sent = request(url, { agent, method: "POST", headers }, (answer) => {
          if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`));
          answer.on("data", onPiece);
          answer.on("end", resolve);
          answer.on("error", reject);
        });
        sent.on("error", reject);
        sent.end(body);
      }),
    close: (): void => agent.destroy(),
  };
}
