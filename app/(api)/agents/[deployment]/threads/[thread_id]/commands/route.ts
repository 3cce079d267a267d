import { bind } from "#app/(api)/bind.ts";
import { applyThreadCommand } from "#lib/http/thread-stream.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.applyThreadCommand, applyThreadCommand);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
