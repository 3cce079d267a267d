import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject } from "../../lib/protocol/json.ts";

/**
 * Returns whether an object has every member of another at any depth. Values other than objects are compared as a
 * whole.
 */
export function hasMembers(document: unknown, wanted: JsonObject): boolean {
  if (!isObject(document)) return false;
  return Object.entries(wanted).every(([key, value]) => {
    if (!Object.hasOwn(document, key)) return false;
    return isObject(value) ? hasMembers(document[key], value) : isDeepStrictEqual(document[key], value);
  });
}
