import { parseEnv } from "node:util";
import * as environment from "../../engine/control/environment.ts";
import type { controlOperations as operations } from "../../protocol/operations/control.ts";
import type { EnvironmentPatch } from "../../protocol/variables.ts";
import { deploymentOf } from "./path.ts";
import type { ControlHandler } from "./endpoint.ts";

export const getEnvironment: ControlHandler<typeof operations.getEnvironment> = async (call) => {
  const { deployment_id } = await deploymentOf(call);
  return Response.json(await environment.getEnvironment(call.control, deployment_id));
};

export const updateEnvironment: ControlHandler<typeof operations.updateEnvironment> = async (call) => {
  const { platform, control, body } = call;
  const deployment = await deploymentOf(call);
  return Response.json(await environment.updateEnvironment(platform, control, deployment, variablesOf(body)));
};

/** Merges the variables of a patch. Single variables win over those of the file. */
export function variablesOf({ variables, env_file, plain }: EnvironmentPatch) {
  const file: Record<string, string | undefined> = env_file === undefined ? {} : parseEnv(env_file);
  const set: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(file)) if (value !== undefined) set[name] = value;
  return { set: { ...set, ...variables }, plain };
}
