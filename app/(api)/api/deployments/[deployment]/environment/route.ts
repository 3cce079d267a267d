import { bindControl } from "#app/(api)/bind.ts";
import { getEnvironment, updateEnvironment } from "#lib/http/control/environment.ts";
import { controlOperations } from "#lib/protocol/operations/control.ts";

export const GET = bindControl(controlOperations.getEnvironment, getEnvironment);
export const PATCH = bindControl(controlOperations.updateEnvironment, updateEnvironment);
