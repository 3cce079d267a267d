import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a database that can be held up in one direction, as on a broken network. */
export interface HeldNetwork {
  /** The address of the database by this way. */
  readonly url: string;
  loseAnswers(): void;
  passAnswers(): void;
  /** Resets all connections. New ones are accepted. */
  reset(): void;
  /** Breaks all connections, and takes none until `accept`. */
  refuse(): void;
  accept(): void;
  close(): void;
}

/** Opens a way to the database at `url`, by this port or a free one. */
export async function startNetwork(url: string, own = 0): Promise<HeldNetwork> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let answers: "pass" | "lost" = "pass";
  let refuses = false;
  // Each piece is passed on at once, as a network does, also while those before it are not acknowledged.
  const proxy = createServer({ noDelay: true }, (client) => {
    if (refuses) return void client.destroy();
    const upstream = connect({ port: Number(port || 5432), host: hostname, noDelay: true });
    for (const socket of [client, upstream]) sockets.add(socket.on("error", () => undefined));
    client.pipe(upstream);
    upstream.on("data", (bytes: Buffer) => answers === "pass" && client.write(bytes));
    client.once("close", () => upstream.destroy());
    upstream.once("close", () => client.destroy());
  });
  proxy.listen(own, "127.0.0.1");
  await once(proxy, "listening");
  const reset = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const behind = new URL(url);
  behind.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    url: behind.href,
    loseAnswers: () => void (answers = "lost"),
    passAnswers: () => void (answers = "pass"),
    reset,
    refuse() {
      refuses = true;
      reset();
    },
    accept: () => void (refuses = false),
    close() {
      reset();
      proxy.close();
    },
  };
}
