import { Fault } from "../protocol/faults.ts";
import { decodeCursor, type ListPosition } from "../rules/cursor.ts";

/**
 * Returns the position after which a page begins; undefined for the first page. Faults: `invalid` for a text that is no
 * cursor, or one of a list in another order.
 */
export function positionOf(sort: string, cursor: string | undefined): ListPosition | undefined {
  if (cursor === undefined || cursor === "") return undefined;
  const position = decodeCursor(sort, cursor);
  if (!("problem" in position)) return position;
  throw new Fault("invalid", `Invalid body: cursor: ${position.problem}`, {
    issues: [{ path: "cursor", message: position.problem }],
  });
}
