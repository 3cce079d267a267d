import type { JsonObject } from "../protocol/json.ts";

/** A secret that callers show. What it is never leaves the driver. */
export interface ApiKey {
  matches(given: string): boolean;
  /** Proves knowledge of the key without holding it: what the console's cookie carries. Another key, another session. */
  readonly session: string;
  isSession(given: string): boolean;
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
