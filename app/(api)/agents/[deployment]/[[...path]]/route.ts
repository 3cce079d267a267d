import { bindPlain } from "#app/(api)/bind.ts";
import { unknownRoute } from "#lib/http/system.ts";

const unknown = bindPlain(unknownRoute);

export { unknown as GET, unknown as POST, unknown as PUT, unknown as PATCH, unknown as DELETE };
export { preflight as OPTIONS } from "#app/(api)/bind.ts";
