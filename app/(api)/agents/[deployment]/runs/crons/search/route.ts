import { bind } from "#app/(api)/bind.ts";
import { searchCrons } from "#lib/http/crons.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.searchCrons, searchCrons);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
