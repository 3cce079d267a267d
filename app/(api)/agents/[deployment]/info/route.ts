import { bind } from "#app/(api)/bind.ts";
import { getInfo } from "#lib/http/system.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.getInfo, getInfo);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
