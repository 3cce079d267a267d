import type { AuthConfig } from "../../protocol/config.ts";

/**
 * As whom the console calls a deployment. `open`: it asks nobody. `operator`: by the server's key, and nobody is asked
 * either. `studio`: as a user of that kind. `closed`: nobody yet, the code of the console would change that; `disabled`:
 * nobody, and nothing would.
 */
export type ConsoleCaller = "open" | "operator" | "studio" | "closed" | "disabled";

interface Circumstances {
  auth: Pick<AuthConfig, "disable_studio_auth"> | undefined;
  /** The server has a key: then who sees the console has shown it. */
  keyed: boolean;
  /** The code of a console without key has been shown. */
  passed: boolean;
}

export function consoleCaller({ auth, keyed, passed }: Circumstances): ConsoleCaller {
  if (!auth) return "open";
  if (keyed) return "operator";
  if (auth.disable_studio_auth === true) return "disabled";
  return passed || auth.disable_studio_auth === false ? "studio" : "closed";
}
