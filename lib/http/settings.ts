import type { BodyBudget } from "./body-budget.ts";
import type { ApiKey, CardSigner } from "../engine/ports/keys.ts";
import type { KeyLockout } from "../engine/key-lockout.ts";
import type { Platform } from "../engine/ports/ports.ts";
import type { Sessions } from "../engine/sessions.ts";

/** Settings of the API's endpoints. */
export interface HttpSettings {
  /** Callers must show this key if it is set. */
  apiKey?: ApiKey;
  /** The console's code on a server without a key. Its sessions open applications that authenticate their callers. */
  consoleKey?: ApiKey;
  /** Sessions of the console that were begun with either key. */
  sessions: Sessions;
  /** Counts wrong keys. */
  keyLockout: KeyLockout;
  publicUrl?: string;
  trustProxy: boolean;
  /** Set if folders of this machine may be deployed. */
  localSources: boolean;
  cardSigner?: CardSigner;
  /** Limits the bytes of request bodies that are held at a time. */
  bodies: BodyBudget;
}

export interface HttpContext {
  platform: Platform;
  settings: HttpSettings;
}
