import type { AuthConfig } from "../../protocol/config.ts";

/**
 * The identity with which the console calls a deployment. `open`: the deployment has no authentication. `operator`: the
 * server's key is used, and authentication is skipped. `studio`: a user of that kind. `closed`: calls are refused until
 * the console's code is entered. `disabled`: calls are always refused.
 */
export type ConsoleCaller = "open" | "operator" | "studio" | "closed" | "disabled";

interface ConsoleRequest {
  auth: Pick<AuthConfig, "disable_studio_auth"> | undefined;
  /** The server has a key, which every user of the console has entered. */
  keyed: boolean;
  /** The code of a console without a key has been entered. */
  passed: boolean;
}

export function consoleCaller({ auth, keyed, passed }: ConsoleRequest): ConsoleCaller {
  if (!auth) return "open";
  if (keyed) return "operator";
  if (auth.disable_studio_auth === true) return "disabled";
  return passed || auth.disable_studio_auth === false ? "studio" : "closed";
}
