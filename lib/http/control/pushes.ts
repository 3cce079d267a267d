import { listDeliveries } from "../../engine/a2a/task-pushes.ts";
import type { controlOperations as operations } from "../../protocol/operations/control.ts";
import { deploymentOf } from "./deployments.ts";
import type { ControlHandler } from "./endpoint.ts";

export const list: ControlHandler<typeof operations.listPushDeliveries> = async (call) => {
  const { name } = await deploymentOf(call);
  const { assistant_id: assistantId, task_id: taskId, limit } = call.query;
  return Response.json(await listDeliveries(call.platform, name, { assistantId, taskId, limit }));
};
