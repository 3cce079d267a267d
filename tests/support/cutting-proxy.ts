/** A connection that breaks: what stands between a client and a server, and loses streams in the middle. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface CuttingProxy {
  readonly url: string;
  /** How many streams were lost. */
  lost(): number;
  close(): Promise<void>;
}

/** How an answer begins that is a stream: of server-sent events, or a WebSocket. */
const STREAM = /content-type: text\/event-stream|^HTTP\/1\.1 101 /im;
const HEAD = "\r\n\r\n";

/**
 * Loses one stream after another, each after so many bytes of its body; those that come later stay whole. `kind`: what
 * the head of an answer says of those that are to be lost.
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
    /** Bytes of the body, once there is one of this kind. */
    let told: number | undefined;
    upstream.on("data", (piece: Buffer) => {
      const head = piece.indexOf(HEAD);
      if (told === undefined && kind.test(piece.toString("latin1"))) told = -head - HEAD.length;
      if (told === undefined) return void client.write(piece);
      told += piece.length;
      const most = cuts[lost] ?? Infinity;
      if (told <= most) return void client.write(piece);
      lost++;
      client.write(piece.subarray(0, piece.length - (told - most)), () => client.resetAndDestroy());
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
