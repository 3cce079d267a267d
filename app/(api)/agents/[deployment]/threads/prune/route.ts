import { bind } from "#app/(api)/bind.ts";
import { pruneThreads } from "#lib/http/threads.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.pruneThreads, pruneThreads);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
