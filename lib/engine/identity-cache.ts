import type { AuthUser, PlainRequest } from "../protocol/auth.ts";
import type { AuthConfig } from "../protocol/config.ts";

/** Whom the application's authentication has recognised lately, so that it need not be asked at every call. */
export interface IdentityCache {
  find(request: PlainRequest): AuthUser | undefined;
  remember(request: PlainRequest, user: AuthUser): void;
  /** Its code may be another now. */
  clear(): void;
}

interface CachedIdentity {
  readonly user: AuthUser;
  /** ms since the epoch. */
  readonly until: number;
}

/** Of an application without `auth.cache` it knows nobody. Only who is recognised is remembered, the latest first. */
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
      if (key === undefined) return;
      cached.delete(key);
      cached.set(key, { user, until: clock.now() + ttl_seconds * 1000 });
      const oldest = cached.size > max_size ? cached.keys().next() : undefined;
      if (oldest?.done === false) cached.delete(oldest.value);
    },
    clear: () => cached.clear(),
  };
}

/** The values of these headers; undefined for a call that has none of them: such callers cannot be told apart. */
function keyOf({ headers }: PlainRequest, names: readonly string[]): string | undefined {
  const values = names.map((name) => headers.find(([header]) => header === name)?.[1] ?? null);
  return values.some((value) => value !== null) ? JSON.stringify(values) : undefined;
}
