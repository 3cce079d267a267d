import { deploymentEvents } from "@/lib/http/console.ts";
import { running } from "@/lib/platform.ts";

export const GET = (request: Request): Response => deploymentEvents(running(), request);
