/** A bus over Redis, which stores nothing of it but a few wakes. */
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@redis/client";
import type { Bus } from "../../engine/ports/bus.ts";
import type { Logger } from "../../engine/ports/ports.ts";
import { createEmitter } from "../../rules/emitter.ts";

/** A connection that answers no ping for this time is given up, in ms. */
const SILENT_MS = 6_000;
const PING_MS = 2_000;
const LONGEST_PAUSE_MS = 1_000;
/** The time for which one command waits for a wake. Then it is sent again, perhaps for other queues. */
const WAIT_S = 1;
/** The most wakes of a queue that wait, and the time for which they do. */
const MOST_WAKES = 64;
const WAKES_S = 60;

export interface RedisBusOptions {
  /** `redis://user:password@host:port/number` or `rediss://`. */
  url: string;
  /** Names of channels and keys begin with it: several groups of servers may use one Redis. */
  prefix: string;
  logger: Logger;
}

type Client = ReturnType<typeof connectionTo>;

function connectionTo(url: string) {
  const reconnectStrategy = (retries: number): number => Math.min(LONGEST_PAUSE_MS, 50 * 2 ** Math.min(retries, 6));
  return createClient({
    url,
    // A message that cannot be sent now is of no use later.
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: { reconnectStrategy, connectTimeout: SILENT_MS, socketTimeout: SILENT_MS },
  });
}

/**
 * Connects three times: to publish, to listen, and to wait for wakes, which blocks its connection. It goes on trying while Redis
 * is not in reach, and logs that once.
 */
export function redisBus({ url, prefix, logger }: RedisBusOptions): Bus {
  const connected = createEmitter();
  const [publisher, subscriber, waiter] = [connectionTo(url), connectionTo(url), connectionTo(url)];
  const clients = [publisher, subscriber, waiter];
  const closing = new AbortController();
  watchConnection(clients, { logger, closing: closing.signal, connected: connected.emit });
  const sent = (command: Promise<unknown>): void => void command.catch(() => undefined);
  const isConnected = (): boolean => clients.every((client) => client.isReady);

  return {
    publish(topic, message) {
      if (publisher.isReady) sent(publisher.publish(`${prefix}:${topic}`, message));
    },
    listen(topic, listener) {
      const channel = `${prefix}:${topic}`;
      let isStopped = false;
      const receive = (message: string): void => void (isStopped || listener(message));
      // While there is no connection, the client remembers the channel.
      const subscribed = subscriber.subscribe(channel, receive).catch(() => undefined);
      return {
        ready: subscriber.isReady ? subscribed : Promise.resolve(),
        stop() {
          isStopped = true;
          sent(subscribed.then(() => subscriber.unsubscribe(channel, receive)));
        },
      };
    },
    wakeOne(queue) {
      if (!publisher.isReady) return;
      const key = `${prefix}:${queue}`;
      sent(
        publisher
          .multi()
          .lPush(key, "")
          .lTrim(key, 0, MOST_WAKES - 1)
          .expire(key, WAKES_S)
          .exec(),
      );
    },
    waitForWake: (queues, signal) => waitForWake(waiter, prefix, queues, AbortSignal.any([signal, closing.signal])),
    isConnected,
    onConnected: connected.on,
    close() {
      closing.abort();
      for (const client of clients) client.destroy();
      return Promise.resolve();
    },
  };
}

async function waitForWake(
  client: Client,
  prefix: string,
  queues: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const keys = queues.map((queue) => `${prefix}:${queue}`);
  try {
    const found = client.isReady && keys.length > 0 ? await client.blPop(keys, WAIT_S) : await pause(signal);
    return found?.key.slice(prefix.length + 1);
  } catch {
    await pause(signal);
    return undefined;
  }
}

async function pause(signal: AbortSignal): Promise<undefined> {
  await sleep(WAIT_S * 1_000, undefined, { signal }).catch(() => undefined);
}

/** Connects the clients and keeps them connected. Logs when Redis goes away, and when it is back. */
function watchConnection(
  clients: readonly Client[],
  { logger, closing, connected }: { logger: Logger; closing: AbortSignal; connected: () => void },
): void {
  let isAway = false;
  for (const client of clients) {
    client.on("error", (error: unknown) => {
      if (isAway || closing.aborted) return;
      isAway = true;
      logger.warn(`Redis is not in reach, and servers look at the database instead: ${String(error)}`);
    });
    client.on("ready", () => {
      if (!clients.every((one) => one.isReady)) return;
      if (isAway) logger.warn("Redis is in reach again");
      isAway = false;
      connected();
    });
    client.connect().catch(() => undefined);
  }
}
