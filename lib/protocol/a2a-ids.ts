import * as z from "zod";
import { nullish } from "./fields.ts";

/** Schema of A2A ids, which are opaque. */
export const Id = z
  .string()
  .max(255)
  // eslint-disable-next-line no-control-regex -- control characters are what is refused
  .regex(/^[^\u0000-\u001f\u007f-\u009f]+$/, "expected printable characters");
/** Schema of an optional id; null and an empty string count as absent. */
export const OptionalId = z.preprocess((value) => (value === "" ? undefined : value), nullish(Id));
