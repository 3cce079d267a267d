import type { BodyBudget } from "./body-budget.ts";
import type { ApiKey, CardSigner } from "../engine/ports/keys.ts";
import type { KeyLockout } from "../engine/key-lockout.ts";
import type { Platform } from "../engine/ports/ports.ts";
import type { Sessions } from "../engine/sessions.ts";

/** What the transport needs to know. */
export interface HttpSettings {
  /** Required of callers, where set. */
  apiKey?: ApiKey;
  /** Of a server without key: a session that was begun with it lets the console into applications that ask who is calling. */
  consoleKey?: ApiKey;
  /** Sessions of the console, begun with either key. */
  sessions: Sessions;
  /** Counts wrong keys. */
  keyLockout: KeyLockout;
  publicUrl?: string;
  trustProxy: boolean;
  /** Folders of this machine may be deployed. */
  localSources: boolean;
  cardSigner?: CardSigner;
  /** How much of request bodies is held at a time. */
  bodies: BodyBudget;
}

export interface HttpContext {
  platform: Platform;
  settings: HttpSettings;
}
