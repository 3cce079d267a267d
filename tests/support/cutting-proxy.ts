/** A proxy that breaks connections in the middle of a stream. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface CuttingProxy {
  readonly url: string;
  /** The number of streams that were cut. */
  lost(): number;
  close(): Promise<void>;
}

/** Matches the head of a response that is a stream: server-sent events or a WebSocket. */
const STREAM = /content-type: text\/event-stream|^HTTP\/1\.1 101 /im;
const HEAD = "\r\n\r\n";

/**
 * Cuts the first streams, each after the number of body bytes in `cuts`; later ones pass whole. Only responses whose
 * head matches `kind` are cut.
 */
export async function startCuttingProxy(
  server: string,
  cuts: readonly number[],
  kind: RegExp = STREAM,
): Promise<CuttingProxy> {
  const { hostname, port } = new URL(server);
  const open = new Set<Socket>();
  let lost = 0;
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => open.delete(socket));
    }
    client.pipe(upstream);
    /** Body bytes received so far; undefined until a head has matched `kind`. */
    let received: number | undefined;
    upstream.on("data", (piece: Buffer) => {
      const head = piece.indexOf(HEAD);
      if (received === undefined && kind.test(piece.toString("latin1"))) received = -head - HEAD.length;
      if (received === undefined) return void client.write(piece);
      received += piece.length;
      const most = cuts[lost] ?? Infinity;
      if (received <= most) return void client.write(piece);
      lost++;
      client.write(piece.subarray(0, piece.length - (received - most)), () => client.resetAndDestroy());
      upstream.destroy();
    });
    upstream.once("end", () => client.end());
    client.once("close", () => upstream.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    lost: () => lost,
    async close() {
      for (const socket of open) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
