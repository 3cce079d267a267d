import { bind } from "#app/(api)/bind.ts";
import { searchThreads } from "#lib/http/threads.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.searchThreads, searchThreads);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
