import { readQueue } from "../../engine/queue.ts";
import type { controlOperations as operations } from "../../protocol/operations/control.ts";
import type { ControlHandler } from "./endpoint.ts";

export const getQueue: ControlHandler<typeof operations.getQueue> = async ({ platform }) =>
  Response.json(await readQueue(platform));
