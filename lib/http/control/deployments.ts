import { parseEnv } from "node:util";
import {
  deleteDeployment,
  createDeployment,
  shownDeployment,
  stopDeployment,
  updateDeployment,
} from "../../engine/control/deploy.ts";
import { getDeployment, startDeployment } from "../../engine/control/revisions.ts";
import { listVariables } from "../../engine/control/variables.ts";
import { Fault } from "../../protocol/faults.ts";
import type { DeploymentRecord } from "../../protocol/control.ts";
import type { controlOperations as operations } from "../../protocol/operations/control.ts";
import { EnvironmentPatch } from "../../protocol/variables.ts";
import type { StoredDeployment } from "../../engine/ports/builds.ts";
import { publicUrl } from "../../rules/http/public-url.ts";
import { changeEnvironment } from "../../engine/control/rollback.ts";
import { guardSource } from "./sources.ts";
import type { ControlCall, ControlHandler } from "./endpoint.ts";

export const list: ControlHandler<typeof operations.listDeployments> = async (call) => {
  const stored = await call.control.deployments.list();
  return Response.json(await Promise.all(stored.map((one) => shown(call, one))));
};

export const create: ControlHandler<typeof operations.createDeployment> = async (call) => {
  const { platform, control, body } = call;
  guardSource(call, body.source);
  const environment = variablesOf(body.environment ?? EnvironmentPatch.parse({}));
  const deployment = await createDeployment(platform, control, body, environment);
  const headers = { location: `/api/deployments/${deployment.name}` };
  return Response.json(await shown(call, deployment), { status: 201, headers });
};

export const get: ControlHandler<typeof operations.getDeployment> = async (call) =>
  Response.json(await shown(call, await deploymentOf(call)));

export const update: ControlHandler<typeof operations.updateDeployment> = async (call) => {
  const { platform, control, body } = call;
  if (body.source) guardSource(call, body.source);
  const deployment = await deploymentOf(call);
  const environment = body.environment && variablesOf(body.environment);
  return Response.json(await shown(call, await updateDeployment(platform, control, deployment, body, environment)));
};

export const remove: ControlHandler<typeof operations.deleteDeployment> = async (call) => {
  const { platform, control, query } = call;
  const deployment = await deploymentOf(call);
  if (query.confirm !== deployment.name) {
    throw new Fault(
      "invalid",
      `Say that you mean it: confirm=${deployment.name}. Threads, builds and secrets go with it`,
    );
  }
  await deleteDeployment(platform, control, deployment);
  return new Response(null, { status: 204 });
};

export const stop: ControlHandler<typeof operations.stopDeployment> = async (call) => {
  const { platform, control } = call;
  const deployment = await deploymentOf(call);
  await stopDeployment(platform, control, deployment);
  return Response.json(await shown(call, await getDeployment(control, deployment.name)));
};

export const start: ControlHandler<typeof operations.startDeployment> = async (call) => {
  const { platform, control } = call;
  const deployment = await deploymentOf(call);
  await startDeployment(platform, control, deployment);
  return Response.json(await shown(call, await getDeployment(control, deployment.name)));
};

export const environment: ControlHandler<typeof operations.getEnvironment> = async (call) => {
  const { deployment_id } = await deploymentOf(call);
  return Response.json(await listVariables(call.control, deployment_id));
};

/** With the new variables comes a revision of the same build, so that they are in force without building. */
export const updateEnvironment: ControlHandler<typeof operations.updateEnvironment> = async (call) => {
  const { platform, control, body } = call;
  const deployment = await deploymentOf(call);
  await changeEnvironment(platform, control, deployment, variablesOf(body));
  return Response.json(await listVariables(control, deployment.deployment_id));
};

/** Named values win over those of the file. */
function variablesOf({ variables, env_file, plain }: EnvironmentPatch) {
  const file: Record<string, string | undefined> = env_file === undefined ? {} : parseEnv(env_file);
  const set: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(file)) if (value !== undefined) set[name] = value;
  return { set: { ...set, ...variables }, plain };
}

/** Faults: `not_found`. */
export function deploymentOf({ control, params }: Pick<ControlCall, "control" | "params">): Promise<StoredDeployment> {
  return getDeployment(control, params.deployment ?? "");
}

async function shown(
  { platform, control, settings, request }: Pick<ControlCall, "platform" | "control" | "settings" | "request">,
  deployment: StoredDeployment,
): Promise<DeploymentRecord> {
  const api_url = `${publicUrl(request.headers, settings)}/agents/${deployment.name}`;
  return { ...(await shownDeployment(platform, control, deployment)), api_url };
}
