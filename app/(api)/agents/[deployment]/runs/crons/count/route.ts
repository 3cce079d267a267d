import { bind } from "#app/(api)/bind.ts";
import { countCrons } from "#lib/http/crons.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.countCrons, countCrons);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
