import * as z from "zod";
import { nullish } from "./fields.ts";

/** Ids are opaque; absent, null and empty are the same. */
export const Id = z
  .string()
  .max(255)
  // eslint-disable-next-line no-control-regex -- control characters are what is refused
  .regex(/^[^\u0000-\u001f\u007f-\u009f]+$/, "expected printable characters");
export const OptionalId = z.preprocess((value) => (value === "" ? undefined : value), nullish(Id));
