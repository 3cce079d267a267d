import { bind } from "#app/(api)/bind.ts";
import { countThreads } from "#lib/http/threads.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.countThreads, countThreads);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
