/**
 * Carries messages between servers that share a database. It stores nothing: whoever is not connected misses what is published
 * meanwhile. So the database has everything, and listeners look there when the connection is back, and from time to time.
 * Implemented in lib/drivers/bus/redis.ts.
 */
export interface Bus {
  /** Sends a message to all listeners of a topic, also to those of this server. Never rejects. */
  publish(topic: string, message: string): void;
  /** Calls back for each message of a topic from now on. */
  listen(topic: string, listener: (message: string) => void): BusListener;
  /** Lets one of those who wait for this queue go on. Of many calls that nobody waits for, only some are kept. */
  wakeOne(queue: string): void;
  /** Resolves with the queue of which `wakeOne` was called; undefined on abort, or when none was called for a while. */
  waitForWake(queues: readonly string[], signal: AbortSignal): Promise<string | undefined>;
  isConnected(): boolean;
  /** Calls back when the connection is there, or there again. Returns a function that stops it. */
  onConnected(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface BusListener {
  /** Resolves when no message is missed any more, or at once while there is no connection. */
  readonly ready: Promise<void>;
  stop(): void;
}
