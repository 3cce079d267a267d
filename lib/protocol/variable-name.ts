/** Names of environment variables. */

export const LONGEST_VARIABLE_NAME = 256;
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
export const VARIABLE_NAME_RULE = "expected letters, digits and _, no digit first";

/** Returns why a variable can't have this name, or undefined when it can. */
export function variableNameProblem(name: string): string | undefined {
  if (name.length > LONGEST_VARIABLE_NAME) return `expected at most ${LONGEST_VARIABLE_NAME} characters`;
  return VARIABLE_NAME.test(name) ? undefined : VARIABLE_NAME_RULE;
}
