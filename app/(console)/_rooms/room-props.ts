import type { Deployment } from "#lib/engine/ports/ports.ts";
import type { CallerProps } from "../_auth/authenticated.tsx";
import { consoleAccess } from "../_auth/console-access.ts";
import { chatAssistants } from "../_chat/assistants.ts";
import type { RoomAssistant } from "./room-assistant.ts";

export interface RoomProps extends CallerProps {
  assistants: readonly RoomAssistant[];
}

/** Returns what every page of threads, runs and crons needs. */
export async function roomProps(deployment: Deployment): Promise<RoomProps> {
  const access = await consoleAccess(deployment);
  const assistants = await chatAssistants(deployment, access);
  return {
    deployment: deployment.name,
    caller: access.caller,
    isLinkPrinted: access.isLinkPrinted,
    assistants: assistants.map(({ id, name, assistantId, graph }) => ({ id, name, assistantId, graph })),
  };
}
