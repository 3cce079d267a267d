import * as z from "zod";
import { listOf } from "./fields.ts";
import { LONGEST_VARIABLE_NAME, VARIABLE_NAME, VARIABLE_NAME_RULE } from "./variable-name.ts";

const VariableName = z.string().max(LONGEST_VARIABLE_NAME).regex(VARIABLE_NAME, VARIABLE_NAME_RULE);

const MOST = 1000;

/** Changes to a deployment's environment. Variables that are not named stay unchanged. */
export const EnvironmentPatch = z
  .object({
    /** New values, keyed by name; null removes a variable. */
    variables: z.record(VariableName, z.string().max(65_536).nullable()).default({}),
    /** Text of a `.env` file, used for names that are not in `variables`. */
    env_file: z.string().max(1_000_000).optional(),
    /** Names of variables whose values may be shown again; all others are write-only. */
    plain: listOf(VariableName, MOST).default([]),
  })
  .refine(({ variables }) => Object.keys(variables).length <= MOST, `expected at most ${MOST} variables`);
export type EnvironmentPatch = z.infer<typeof EnvironmentPatch>;

/** A variable as the API returns it. */
export const Variable = z.object({
  name: z.string(),
  /** Value; null for a secret, which the API never returns. */
  value: z.string().nullable(),
  secret: z.boolean(),
  updated_at: z.string(),
});
export type Variable = z.infer<typeof Variable>;
