import * as z from "zod";
import { listOf } from "./fields.ts";

const VariableName = z
  .string()
  .max(256)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "expected letters, digits and _, no digit first");

const MOST = 1000;

/** Changes to a deployment's environment. What is not named stays. */
export const EnvironmentPatch = z
  .object({
    /** Values by name; `null` removes one. */
    variables: z.record(VariableName, z.string().max(65_536).nullable()).default({}),
    /** The text of a `.env` file, for the names that `variables` does not have. */
    env_file: z.string().max(1_000_000).optional(),
    /** Names of those that may be shown again; all others are write-only. */
    plain: listOf(VariableName, MOST).default([]),
  })
  .refine(({ variables }) => Object.keys(variables).length <= MOST, `expected at most ${MOST} variables`);
export type EnvironmentPatch = z.infer<typeof EnvironmentPatch>;

/** A variable as the API shows it. */
export const Variable = z.object({
  name: z.string(),
  /** Null for a secret, which never leaves the server again. */
  value: z.string().nullable(),
  secret: z.boolean(),
  updated_at: z.string(),
});
export type Variable = z.infer<typeof Variable>;
