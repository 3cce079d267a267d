import type { AuthUser, PlainRequest } from "../protocol/auth.ts";
import type { AuthConfig } from "../protocol/config.ts";
import { setNewest } from "../rules/set-newest.ts";

/** Caches the users that the application's authentication has recognised, to call it less often. */
export interface IdentityCache {
  find(request: PlainRequest): AuthUser | undefined;
  remember(request: PlainRequest, user: AuthUser): void;
  /** Removes all users, because the application's code may have changed. */
  clear(): void;
}

interface CachedIdentity {
  readonly user: AuthUser;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** Without `auth.cache` the cache stays empty. The latest entries are kept, and refused callers have none. */
export function createIdentityCache(cache: AuthConfig["cache"], clock: { now(): number }): IdentityCache {
  const { cache_keys = [], ttl_seconds = 0, max_size = 0 } = cache ?? {};
  const cached = new Map<string, CachedIdentity>();
  return {
    find(request) {
      const key = keyOf(request, cache_keys);
      const found = key === undefined ? undefined : cached.get(key);
      if (key === undefined || !found) return undefined;
      cached.delete(key);
      if (found.until <= clock.now()) return undefined;
      cached.set(key, found);
      return found.user;
    },
    remember(request, user) {
      const key = keyOf(request, cache_keys);
      if (key !== undefined) setNewest(cached, key, { user, until: clock.now() + ttl_seconds * 1000 }, max_size);
    },
    clear: () => cached.clear(),
  };
}

/** Returns the values of the key headers; undefined when none is sent: such callers cannot be distinguished. */
function keyOf({ headers }: PlainRequest, names: readonly string[]): string | undefined {
  const values = names.map((name) => headers.find(([header]) => header === name)?.[1] ?? null);
  return values.some((value) => value !== null) ? JSON.stringify(values) : undefined;
}
