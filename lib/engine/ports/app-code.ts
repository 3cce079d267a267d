import type { AppAnswer, AppRequest } from "../../protocol/app-routes.ts";
import type { AppConfig } from "../../protocol/config.ts";
import type { Outgoing } from "./webhooks.ts";
import type { GuardAnswer, GuardQuestion, Guards } from "../../protocol/auth.ts";

/** The code that a deployment serves. */
export interface ServedCode {
  /** Undefined when the configuration could not be read; `problem` then says why. */
  readonly config: AppConfig | undefined;
  readonly problem: string | undefined;
  /** Warns people that this server has no isolation besides Node's permission model. */
  readonly unfenced?: string;
}

/** The code that a deployment serves, with the clients for outgoing requests. */
export interface HostedCode extends ServedCode {
  outgoing: Outgoing;
  /** Posts to addresses that A2A clients have registered. */
  pushOutgoing: Outgoing;
}

/** The parts of an application besides its graphs. */
export interface AppCode {
  /** Returns the handlers of the application's authentication. Faults: `unavailable` until they are known. */
  guards(): Guards;
  /** Calls a handler. Faults: `unavailable`; throws an `Error` when the application's code fails. */
  guard(question: GuardQuestion): Promise<GuardAnswer>;
  /** Sends a request to the application's own routes. Faults and errors: as `guard`. */
  serve(request: AppRequest, signal: AbortSignal): Promise<AppAnswer>;
}
