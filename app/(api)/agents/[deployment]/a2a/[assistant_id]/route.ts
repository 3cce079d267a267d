import { bind } from "@/app/(api)/bind.ts";
import { renderA2aFault, sendA2a } from "@/lib/http/a2a.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const POST = bind(operations.sendA2a, sendA2a, renderA2aFault);
export { refuseVerb as GET, refuseVerb as PUT, refuseVerb as PATCH, refuseVerb as DELETE } from "@/lib/http/a2a.ts";
export { preflight as OPTIONS } from "@/lib/http/cors.ts";
