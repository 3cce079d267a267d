import * as deployments from "../../engine/control/deployments.ts";
import { Fault } from "../../protocol/faults.ts";
import type { DeploymentRecord } from "../../protocol/control.ts";
import type { controlOperations as operations } from "../../protocol/operations/control.ts";
import { EnvironmentPatch } from "../../protocol/variables.ts";
import type { StoredDeployment } from "../../engine/ports/builds.ts";
import { publicUrl } from "../../rules/http/public-url.ts";
import { variablesOf } from "./environment.ts";
import { deploymentOf } from "./path.ts";
import { guardSource } from "./sources.ts";
import type { ControlCall, ControlHandler } from "./endpoint.ts";

export const listDeployments: ControlHandler<typeof operations.listDeployments> = async (call) => {
  const stored = await deployments.listDeployments(call.control);
  return Response.json(await Promise.all(stored.map((one) => shown(call, one))));
};

export const createDeployment: ControlHandler<typeof operations.createDeployment> = async (call) => {
  const { platform, control, body } = call;
  guardSource(call, body.source);
  const environment = variablesOf(body.environment ?? EnvironmentPatch.parse({}));
  const deployment = await deployments.createDeployment(platform, control, body, environment);
  const headers = { location: `/api/deployments/${deployment.name}` };
  return Response.json(await shown(call, deployment), { status: 201, headers });
};

export const getDeployment: ControlHandler<typeof operations.getDeployment> = async (call) =>
  Response.json(await shown(call, await deploymentOf(call)));

export const updateDeployment: ControlHandler<typeof operations.updateDeployment> = async (call) => {
  const { platform, control, body } = call;
  if (body.source) guardSource(call, body.source);
  const deployment = await deploymentOf(call);
  const environment = body.environment && variablesOf(body.environment);
  const updated = await deployments.updateDeployment(platform, control, deployment, body, environment);
  return Response.json(await shown(call, updated));
};

export const deleteDeployment: ControlHandler<typeof operations.deleteDeployment> = async (call) => {
  const { platform, control, query } = call;
  const deployment = await deploymentOf(call);
  if (query.confirm !== deployment.name) {
    throw new Fault(
      "invalid",
      `Confirm the deletion by confirm=${deployment.name}. It deletes the threads, builds and secrets as well`,
    );
  }
  await deployments.deleteDeployment(platform, control, deployment);
  return new Response(null, { status: 204 });
};

export const stopDeployment: ControlHandler<typeof operations.stopDeployment> = async (call) => {
  await deployments.stopDeployment(call.platform, call.control, await deploymentOf(call));
  return Response.json(await shown(call, await deploymentOf(call)));
};

export const startDeployment: ControlHandler<typeof operations.startDeployment> = async (call) => {
  await deployments.startDeployment(call.platform, call.control, await deploymentOf(call));
  return Response.json(await shown(call, await deploymentOf(call)));
};

async function shown(
  { platform, control, settings, request }: Pick<ControlCall, "platform" | "control" | "settings" | "request">,
  deployment: StoredDeployment,
): Promise<DeploymentRecord> {
  const api_url = `${publicUrl(request.headers, settings)}/agents/${deployment.name}`;
  return { ...(await deployments.shownDeployment(platform, control, deployment)), api_url };
}
