import { bind } from "#app/(api)/bind.ts";
import { getHealth } from "#lib/http/system.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.getHealth, getHealth);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
