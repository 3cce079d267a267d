import { type Access, accessAs, OPEN_ACCESS, type Permit, STUDIO_USER } from "#lib/engine/access.ts";
import type { Deployment } from "#lib/engine/ports/ports.ts";
import { running } from "#lib/platform.ts";
import type { AuthEvent } from "#lib/protocol/auth.ts";
import type { JsonObject } from "#lib/protocol/json.ts";
import { type ConsoleCaller, consoleCaller } from "#lib/rules/http/console-caller.ts";
import { isKeyed } from "../_shell/server.ts";
import { hasCodeSession } from "../_shell/session.ts";

export interface ConsoleAccess {
  readonly caller: ConsoleCaller;
  /** True if the server has printed a sign-in link, as it does for the application that it was started with. */
  readonly isLinkPrinted: boolean;
  /** Asks the application's authorization; undefined if it denies, or cannot be asked. */
  readonly permit: (event: AuthEvent, value: JsonObject) => Promise<Permit | undefined>;
}

/** Returns the access of this visitor to a deployment's threads: the same as its calls of the API have. */
export async function consoleAccess(deployment: Deployment): Promise<ConsoleAccess> {
  const { auth } = deployment.config ?? {};
  const caller = consoleCaller({ auth, keyed: isKeyed(), passed: await hasCodeSession() });
  const access = accessOf(deployment, caller);
  return {
    caller,
    isLinkPrinted: running().consoleLink !== undefined,
    permit: async (event, value) => {
      try {
        return await access?.permit(event, value);
      } catch {
        // The page requests the data again over the API, and shows the reason of the refusal.
        return undefined;
      }
    },
  };
}

function accessOf(deployment: Deployment, caller: ConsoleCaller): Access | undefined {
  if (caller === "studio") return accessAs(deployment, STUDIO_USER);
  return caller === "open" || caller === "operator" ? OPEN_ACCESS : undefined;
}
