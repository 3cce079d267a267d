import type { AppAnswer, AppRequest } from "../../protocol/app-routes.ts";
import type { AppConfig } from "../../protocol/config.ts";
import type { Outgoing } from "./webhooks.ts";
import type { GuardAnswer, GuardQuestion, Guards } from "../../protocol/auth.ts";

/** The code that a deployment serves. */
export interface ServedCode {
  /** Undefined with `problem` saying why, when the configuration could not be read. */
  readonly config: AppConfig | undefined;
  readonly problem: string | undefined;
  /** What little holds it, where this server has no second fence. */
  readonly unfenced?: string;
}

/** The code that a deployment serves, with the addresses that it may call. */
export interface HostedCode extends ServedCode {
  outgoing: Outgoing;
  /** For addresses that A2A clients have named. */
  pushOutgoing: Outgoing;
}

/** What an application says beside its graphs. */
export interface AppCode {
  /** What the application's authentication can be asked. Faults: `unavailable` as long as that is not known. */
  guards(): Guards;
  /** Asks it. Faults: `unavailable`; throws an `Error` when the application's code fails. */
  guard(question: GuardQuestion): Promise<GuardAnswer>;
  /** Asks the application's own routes. Faults and errors as of `guard`. */
  serve(request: AppRequest, signal: AbortSignal): Promise<AppAnswer>;
}
