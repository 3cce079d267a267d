import type { JsonObject } from "../../protocol/json.ts";

/** A secret that callers show. What it is never leaves the driver. */
export interface ApiKey {
  matches(given: string): boolean;
}

/** A session of the console. Times are ms since the epoch. */
export interface StoredSession {
  /** SHA-256 of its id, as base64url: the id is in the browser's cookie and nowhere else. */
  hash: string;
  /** Names the key that it was opened with; the key can't be found by it without the server's secret. */
  key_print: string;
  created_at: number;
  last_used: number;
}

export interface SessionStore {
  insert(session: StoredSession): Promise<void>;
  /** Those that are there, at most 64. */
  find(hashes: readonly string[]): Promise<StoredSession[]>;
  touch(hash: string, now: number): Promise<void>;
  end(hashes: readonly string[]): Promise<void>;
  /** All; where a key is named, all that were opened with another. */
  endAll(but?: { keyPrint: string }): Promise<void>;
  /** Deletes those that began or were last used before a time (ms since the epoch). */
  sweep(limits: { createdBefore: number; usedBefore: number }): Promise<void>;
}

/** Seals secrets for the disk. */
export interface SecretBox {
  seal(text: string): string;
  /** Throws when the key that sealed it is gone. */
  open(sealed: string): string;
}

/** JWS, flattened, its payload left out. */
export interface CardSignature {
  protected: string;
  signature: string;
}

/** Signs agent cards. The private key never leaves the driver. */
export interface CardSigner {
  /** Names the key: its thumbprint. */
  readonly kid: string;
  /** The public half, as a set of JSON Web Keys. */
  readonly keys: { keys: JsonObject[] };
  /** `jku`: where the public half is served. The same card gets the same signature, for a while. */
  sign(canonical: string, jku: string): Promise<CardSignature>;
}
