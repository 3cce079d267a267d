import { createHash, randomBytes } from "node:crypto";
import { isAlive } from "../rules/http/session.ts";
import type { SessionStore, StoredSession } from "./ports/keys.ts";
import type { Clock, Logger } from "./ports/ports.ts";

/** How long what was read of a session is believed, and of how many at the same time. */
const CACHE_MS = 5_000;
const CACHE_SIZE = 1_000;
/** The last use of a session is stored at most this often. */
const TOUCH_MS = 60_000;
/** Longest time from finding a request's session to the start of its answer. `endOld` finds what takes longer. */
const LONGEST_REQUEST_MS = 600_000;

/** Sessions of the console. Ids are with browsers only: what is stored of one is its hash. */
export interface Sessions {
  /** Begins a session; the id is for the cookie. */
  start(): Promise<string>;
  /** The first of these ids whose session goes on, as its hash, and notes that it was used. */
  find(ids: readonly string[]): Promise<string | undefined>;
  end(ids: readonly string[]): Promise<void>;
  endAll(): Promise<void>;
  /**
   * Calls `listener` once when this session ends, by whatever, or soon if it ended since it was found; answers how to stop
   * listening.
   */
  onEnd(hash: string, listener: () => void): () => void;
  /** Tells the listeners of sessions that have grown too old. To be called now and then; never rejects. */
  endOld(): Promise<void>;
}

interface SessionsOptions {
  store: SessionStore;
  clock: Clock;
  logger: Logger;
  /** Names the key whose sessions these are: those of another count for nothing. */
  keyPrint: string;
}

export function createSessions({ store, clock, logger, keyPrint }: SessionsOptions): Sessions {
  const cache = createCache(clock);
  /** Counts ends, so that nothing is remembered that was read before one. */
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

/** What was read lately, the latest last. */
function createCache(clock: Clock) {
  const cached = new Map<string, { session: StoredSession; readAt: number }>();
  return {
    find(hash: string): StoredSession | undefined {
      const found = cached.get(hash);
      return found && Math.abs(clock.now() - found.readAt) < CACHE_MS ? found.session : undefined;
    },
    remember(session: StoredSession): void {
      cached.delete(session.hash);
      cached.set(session.hash, { session, readAt: clock.now() });
      const oldest = cached.size > CACHE_SIZE ? cached.keys().next() : undefined;
      if (oldest?.done === false) cached.delete(oldest.value);
    },
    forget(hashes: readonly string[]): void {
      for (const hash of hashes) cached.delete(hash);
    },
    forgetAll: () => cached.clear(),
  };
}

/** `goesOn` reads whether a session does. */
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
    /** The sessions that somebody listens to. */
    sessions: () => Array.from(listeners.keys()),
    add(hash: string, listener: () => void): () => void {
      const those = listeners.get(hash) ?? new Set();
      listeners.set(hash, those.add(listener));
      return () => {
        those.delete(listener);
        if (those.size === 0 && listeners.get(hash) === those) listeners.delete(hash);
      };
    },
    notify,
    /** Tells those of these sessions that are over. Never rejects. */
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
