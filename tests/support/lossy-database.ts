/** A proxy to PostgreSQL that breaks a connection at a commit. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * The commit is `lost` when it does not reach the database, `unanswered` when it is done and its answer is lost, and `late` when
 * it arrives `LATE_MS` after the connection of its client broke.
 */
export type Loss = "lost" | "unanswered" | "late";

const LATE_MS = 300;
/** The ends of messages: a simple query, and the tag of a command that is complete. */
const COMMIT = "commit\0";
const COMMITTED = "COMMIT\0";

export interface LossyDatabase {
  /** The address of the database, through the proxy. */
  readonly url: string;
  /** Lets this happen to a commit, once; the first that comes, or one after so many others. */
  lose(how: Loss, after?: number): void;
  /** Returns whether a commit has been lost since. */
  hasLost(): boolean;
  close(): Promise<void>;
}

export async function startLossyDatabase(url: string): Promise<LossyDatabase> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  let next: { how: Loss; after: number } | undefined;
  /** Returns whether this commit is the one to be lost in one of these ways. */
  const isLost = (...ways: Loss[]): Loss | undefined => {
    if (!next || !ways.includes(next.how) || next.after-- > 0) return undefined;
    const { how } = next;
    next = undefined;
    return how;
  };
  const proxy = createServer({ noDelay: true }, (client) => {
    const database = connect({ port: Number(port || 5432), host: hostname, noDelay: true });
    for (const socket of [client, database]) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => open.delete(socket));
    }
    const breakBoth = (): void => {
      client.resetAndDestroy();
      database.destroy();
    };
    let isHeld = false;
    client.on("data", (piece: Buffer) => {
      const how = piece.includes(COMMIT) ? isLost("lost", "late") : undefined;
      if (how === "lost") return breakBoth();
      if (how !== "late") return void database.write(piece);
      isHeld = true;
      client.resetAndDestroy();
      void sleep(LATE_MS).then(() => database.end(piece));
    });
    database.on("data", (piece: Buffer) => {
      if (piece.includes(COMMITTED) && isLost("unanswered")) breakBoth();
      else if (!isHeld) client.write(piece);
    });
    client.once("close", () => isHeld || database.destroy());
    database.once("close", () => client.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const through = new URL(url);
  through.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    url: through.href,
    lose(how, after = 0) {
      next = { how, after };
    },
    hasLost: () => next === undefined,
    async close() {
      for (const socket of open) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
