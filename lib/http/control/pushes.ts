import * as taskPushes from "../../engine/a2a/task-pushes.ts";
import type { controlOperations as operations } from "../../protocol/operations/control.ts";
import { deploymentOf } from "./path.ts";
import type { ControlHandler } from "./endpoint.ts";

export const listPushDeliveries: ControlHandler<typeof operations.listPushDeliveries> = async (call) => {
  const { name } = await deploymentOf(call);
  const { assistant_id: assistantId, task_id: taskId, limit } = call.query;
  return Response.json(await taskPushes.listPushDeliveries(call.platform, name, { assistantId, taskId, limit }));
};
