import { createHash, randomBytes } from "node:crypto";
import { isAlive } from "../rules/http/session.ts";
import { setNewest } from "../rules/set-newest.ts";
import type { SessionStore, StoredSession } from "./ports/keys.ts";
import type { Clock, Logger } from "./ports/ports.ts";

/** The time for which a session is cached, and the number of cached sessions. */
const CACHE_MS = 5_000;
const CACHE_SIZE = 1_000;
/** The least time between two writes of a session's last use. */
const TOUCH_MS = 60_000;
/** The longest time from finding a request's session to the start of its response. `endOld` covers longer ones. */
const LONGEST_REQUEST_MS = 600_000;

/** Sessions of the console. Only browsers have their ids; the store has hashes. */
export interface Sessions {
  /** Starts a session, and returns its id for the cookie. */
  start(): Promise<string>;
  /** Returns the hash of the first of these sessions that is alive, and records its use. */
  find(ids: readonly string[]): Promise<string | undefined>;
  end(ids: readonly string[]): Promise<void>;
  endAll(): Promise<void>;
  /**
   * Calls `listener` once when this session ends, or soon if it ended since it was found. Returns a function that
   * removes the listener.
   */
  onEnd(hash: string, listener: () => void): () => void;
  /** Notifies the listeners of sessions that have expired. It is called at intervals. Never rejects. */
  endOld(): Promise<void>;
}

interface SessionsOptions {
  store: SessionStore;
  clock: Clock;
  logger: Logger;
  /** Identifies the key of these sessions. Sessions of another key are invalid. */
  keyPrint: string;
}

export function createSessions({ store, clock, logger, keyPrint }: SessionsOptions): Sessions {
  const cache = createCache(clock);
  /** Counts ends, so that a session read before an end is not cached after it. */
  let ends = 0;
  let endedAt = -Infinity;

  const isOurs = (session: StoredSession | undefined): session is StoredSession =>
    session !== undefined && session.key_print === keyPrint && isAlive(session, clock.now());
  const listeners = createListeners(logger, async (hash) => (await store.find([hash])).some(isOurs));
  const read = async (hashes: readonly string[]): Promise<StoredSession | undefined> => {
    const before = ends;
    const found = (await store.find(hashes)).find(isOurs);
    if (found && before === ends) cache.remember(found);
    return found;
  };
  const touch = (session: StoredSession): void => {
    const now = clock.now();
    if (now - session.last_used < TOUCH_MS) return;
    if (cache.find(session.hash)) cache.remember({ ...session, last_used: now });
    store
      .touch(session.hash, now)
      .catch((error: unknown) => logger.error("a session's use could not be stored", error));
  };

  return {
    async start() {
      const id = randomBytes(32).toString("base64url");
      const now = clock.now();
      await store.insert({ hash: hashOf(id), key_print: keyPrint, created_at: now, last_used: now });
      return id;
    },
    async find(ids) {
      if (ids.length === 0) return undefined;
      const hashes = ids.map(hashOf);
      const found = hashes.map(cache.find).find(isOurs) ?? (await read(hashes));
      if (found) touch(found);
      return found?.hash;
    },
    async end(ids) {
      const hashes = ids.map(hashOf);
      await store.end(hashes);
      ends++;
      endedAt = clock.now();
      cache.forget(hashes);
      listeners.notify(hashes);
    },
    async endAll() {
      await store.endAll();
      ends++;
      endedAt = clock.now();
      cache.forgetAll();
      listeners.notify(listeners.sessions());
    },
    onEnd(hash, listener) {
      const forget = listeners.add(hash, listener);
      if (clock.now() - endedAt < LONGEST_REQUEST_MS) void listeners.notifyEnded([hash]);
      return forget;
    },
    endOld: () => listeners.notifyEnded(listeners.sessions()),
  };
}

/** Caches sessions; the latest entry is last. */
function createCache(clock: Clock) {
  const cached = new Map<string, { session: StoredSession; readAt: number }>();
  return {
    find(hash: string): StoredSession | undefined {
      const found = cached.get(hash);
      return found && Math.abs(clock.now() - found.readAt) < CACHE_MS ? found.session : undefined;
    },
    remember(session: StoredSession): void {
      setNewest(cached, session.hash, { session, readAt: clock.now() }, CACHE_SIZE);
    },
    forget(hashes: readonly string[]): void {
      for (const hash of hashes) cached.delete(hash);
    },
    forgetAll: () => cached.clear(),
  };
}

/** `isActive` reads whether a session is alive. */
function createListeners(logger: Logger, isActive: (hash: string) => Promise<boolean>) {
  const listeners = new Map<string, Set<() => void>>();
  const notify = (hashes: readonly string[]): void => {
    for (const hash of hashes) {
      const called = listeners.get(hash) ?? [];
      listeners.delete(hash);
      for (const listener of called) {
        try {
          listener();
        } catch (error) {
          logger.error("a stream could not be ended with its session", error);
        }
      }
    }
  };
  return {
    /** Returns the sessions that have listeners. */
    sessions: () => Array.from(listeners.keys()),
    add(hash: string, listener: () => void): () => void {
      const ofSession = listeners.get(hash) ?? new Set();
      listeners.set(hash, ofSession.add(listener));
      return () => {
        ofSession.delete(listener);
        if (ofSession.size === 0 && listeners.get(hash) === ofSession) listeners.delete(hash);
      };
    },
    notify,
    /** Notifies the listeners of those of these sessions that have ended. Never rejects. */
    async notifyEnded(hashes: readonly string[]): Promise<void> {
      try {
        for (const hash of hashes) if (!(await isActive(hash))) notify([hash]);
      } catch (error) {
        logger.error("the sessions of open streams could not be read", error);
      }
    },
  };
}

function hashOf(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}
