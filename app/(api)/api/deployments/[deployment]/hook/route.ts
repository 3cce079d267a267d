import { bindControl } from "#app/(api)/bind.ts";
import { makeHook, removeHook } from "#lib/http/control/hooks.ts";
import { controlOperations } from "#lib/protocol/operations/control.ts";

export const POST = bindControl(controlOperations.makeHook, makeHook);
export const DELETE = bindControl(controlOperations.removeHook, removeHook);
