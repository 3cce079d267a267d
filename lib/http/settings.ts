import type { ApiKey, CardSigner } from "../engine/key-ports.ts";
import type { Platform } from "../engine/ports.ts";

/** What the transport needs to know of its surroundings. */
export interface HttpSettings {
  /** Required of callers, where set. */
  apiKey?: ApiKey;
  /** Of a server without key: its session lets the console into applications that ask who is calling. */
  consoleKey?: ApiKey;
  publicUrl?: string;
  trustProxy: boolean;
  /** Folders of this machine may be deployed. */
  localSources: boolean;
  cardSigner?: CardSigner;
}

export interface Surroundings {
  platform: Platform;
  settings: HttpSettings;
}
