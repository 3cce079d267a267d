import type { JsonObject } from "../../protocol/json.ts";

/** A secret that callers send. Its value never leaves the driver. */
export interface ApiKey {
  matches(given: string): boolean;
}

/** A session of the console. Times are ms since the epoch. */
export interface StoredSession {
  /** SHA-256 of its id, as base64url. The id itself is only in the browser's cookie. */
  hash: string;
  /** Identifies the key that the session was opened with. It reveals nothing of the key without the server's secret. */
  key_print: string;
  created_at: number;
  last_used: number;
}

/** Implemented in lib/drivers/sql/platform/sessions.ts. */
export interface SessionStore {
  insert(session: StoredSession): Promise<void>;
  /** Returns the sessions that exist, of at most 64 hashes. */
  find(hashes: readonly string[]): Promise<StoredSession[]>;
  touch(hash: string, now: number): Promise<void>;
  end(hashes: readonly string[]): Promise<void>;
  /** Ends all sessions, except those that were opened with the key `but`. */
  endAll(but?: { keyPrint: string }): Promise<void>;
  /** Deletes sessions that began, or were last used, before a time (ms since the epoch). */
  sweep(limits: { createdBefore: number; usedBefore: number }): Promise<void>;
}

/** Encrypts secrets for the disk. */
export interface SecretBox {
  seal(text: string): string;
  /** Throws when the key that sealed it is gone. */
  open(sealed: string): string;
}

/** A flattened JWS without its payload (https://www.rfc-editor.org/rfc/rfc7515#section-7.2.2). */
export interface CardSignature {
  protected: string;
  signature: string;
}

/** Signs agent cards. The private key never leaves the driver. */
export interface CardSigner {
  /** The key's id: its thumbprint. */
  readonly kid: string;
  /** The public key, as a JSON Web Key Set. */
  readonly keys: { keys: JsonObject[] };
  /** `jku` is the address of the public key. For a while, the same card gets the same signature. */
  sign(canonical: string, jku: string): Promise<CardSignature>;
}
