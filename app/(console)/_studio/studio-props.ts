import type { ConsoleCaller } from "#lib/rules/http/console-caller.ts";
import type { GraphAssistant } from "../_chat/assistants.ts";

export interface StudioViewProps {
  readonly deployment: string;
  /** The caller as which the console calls the deployment if the visitor enters no headers. */
  readonly caller: ConsoleCaller;
  readonly isLinkPrinted: boolean;
  readonly graph: string;
  /** The deployment is the sample application. */
  readonly isSample: boolean;
  /** The error with which the graph failed to load. */
  readonly failure?: string;
  /** The names of all graphs of the deployment. */
  readonly graphs: readonly string[];
  /** The assistants of this graph, its own first. */
  readonly assistants: readonly GraphAssistant[];
  /** The URL of the API for other programs. */
  readonly api: string;
  readonly keyed: boolean;
}
