import { type Access, accessAs, OPEN_ACCESS, type Permit, STUDIO_USER } from "@/lib/engine/access.ts";
import type { Deployment } from "@/lib/engine/ports/ports.ts";
import { running } from "@/lib/platform.ts";
import type { AuthEvent } from "@/lib/protocol/auth.ts";
import type { JsonObject } from "@/lib/protocol/json.ts";
import { type ConsoleCaller, consoleCaller } from "@/lib/rules/http/console-caller.ts";
import { isKeyed } from "../_shell/server.ts";
import { hasCodeSession } from "../_shell/session.ts";

export interface ConsoleAccess {
  readonly caller: ConsoleCaller;
  /** The server has printed a link that lets the console in: it does for the application that it was started for. */
  readonly isLinkPrinted: boolean;
  /** What is done here would be done with leave of the application; undefined when it is not given, or cannot be asked. */
  readonly permit: (event: AuthEvent, value: JsonObject) => Promise<Permit | undefined>;
}

/** What the visitor of this page may see of a deployment's conversations: what its calls of the API would show. */
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
        // What the page does not show it will ask for, and be told why.
        return undefined;
      }
    },
  };
}

function accessOf(deployment: Deployment, caller: ConsoleCaller): Access | undefined {
  if (caller === "studio") return accessAs(deployment, STUDIO_USER);
  return caller === "open" || caller === "operator" ? OPEN_ACCESS : undefined;
}
