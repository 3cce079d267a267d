/** Names of deployments: each is part of an address, `<name>.agents.<host>`. */

/** The deployment that is there from the start and cannot be deleted. It serves the folder that the server is started for. */
export const DEFAULT_DEPLOYMENT = "default";

export const LONGEST_NAME = 40;
export const NAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
export const NAME_RULE = "expected a-z, 0-9 and -, with a letter or a digit at both ends";
export const NAME_TAKEN = "this name is taken by a page of the console";

/** Returns whether a page of the console or a path of the API has this name, so that no deployment can have it. */
export function isReserved(name: string): boolean {
  return name === "new" || name === "events";
}

/** Returns why a deployment can't have this name, or undefined when it can. */
export function nameProblem(name: string): string | undefined {
  if (name.length > LONGEST_NAME) return `expected at most ${LONGEST_NAME} characters`;
  if (!NAME.test(name)) return NAME_RULE;
  return isReserved(name) ? NAME_TAKEN : undefined;
}
