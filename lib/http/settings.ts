import type { ApiKey } from "../engine/key-ports.ts";
import type { Platform } from "../engine/ports.ts";

/** What the transport needs to know of its surroundings. */
export interface HttpSettings {
  /** Required of callers, where set. */
  apiKey?: ApiKey;
  publicUrl?: string;
  trustProxy: boolean;
}

export interface Surroundings {
  platform: Platform;
  settings: HttpSettings;
}
