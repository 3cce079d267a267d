import * as revisions from "../../engine/control/revisions.ts";
import * as rollback from "../../engine/control/rollback.ts";
import type { controlOperations as operations } from "../../protocol/operations/control.ts";
import { deploymentOf, revisionOf } from "./path.ts";
import type { ControlHandler } from "./endpoint.ts";

export const listRevisions: ControlHandler<typeof operations.listRevisions> = async (call) =>
  Response.json(await revisions.listRevisions(call.control, await deploymentOf(call), call.query));

export const createRevision: ControlHandler<typeof operations.createRevision> = async (call) => {
  const { platform, control, body } = call;
  const deployment = await deploymentOf(call);
  const revision = await revisions.createRevision(platform, control, deployment, body);
  return Response.json(await revisions.shownRevision(control, deployment, revision), { status: 201 });
};

export const getRevision: ControlHandler<typeof operations.getRevision> = async (call) => {
  const deployment = await deploymentOf(call);
  return Response.json(await revisions.shownRevision(call.control, deployment, await revisionOf(call)));
};

export const revisionChanges: ControlHandler<typeof operations.revisionChanges> = async (call) => {
  const deployment = await deploymentOf(call);
  const revision = await revisionOf(call);
  return Response.json(await revisions.revisionChanges(call.control, deployment, revision, call.query.since));
};

export const cancelRevision: ControlHandler<typeof operations.cancelRevision> = async (call) => {
  const { platform, control } = call;
  const deployment = await deploymentOf(call);
  const cancelled = await revisions.cancelRevision(platform, control, deployment, await revisionOf(call));
  return Response.json(await revisions.shownRevision(control, deployment, cancelled));
};

export const rollBack: ControlHandler<typeof operations.rollBack> = async (call) => {
  const { platform, control, body } = call;
  const deployment = await deploymentOf(call);
  const revision = await rollback.rollBack(platform, control, deployment, body);
  return Response.json(await revisions.shownRevision(control, deployment, revision), { status: 201 });
};
