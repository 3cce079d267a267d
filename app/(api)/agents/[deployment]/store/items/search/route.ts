import { bind } from "#app/(api)/bind.ts";
import { searchItems } from "#lib/http/store.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.searchItems, searchItems);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
