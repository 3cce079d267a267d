import { bind } from "#app/(api)/bind.ts";
import { listNamespaces } from "#lib/http/store.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.listNamespaces, listNamespaces);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
