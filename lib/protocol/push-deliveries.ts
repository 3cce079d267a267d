/** Delivery states of push notifications, for the operator of the server. */
import * as z from "zod";

export type NotificationKind = z.infer<typeof LetterKind>;
const LetterKind = z.enum(["status", "artifact", "task"]);

export type DeliveryState = z.infer<typeof LetterState>;
const LetterState = z.enum(["waiting", "delivered", "given_up"]);

export const PushDeliveryList = z.object({
  assistant_id: z.string().max(255).optional(),
  task_id: z.string().max(255).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});

export const PushDelivery = z.object({
  letter_id: z.string(),
  task_id: z.string(),
  config_id: z.string(),
  kind: LetterKind,
  /** Host of the URL. The rest of the URL may be a secret. */
  host: z.string(),
  state: LetterState,
  /** The number of attempts so far. */
  attempt: z.int(),
  /** HTTP status of the last attempt. */
  status: z.int().nullable(),
  /** The reason why the last attempt failed. */
  why: z.string().nullable(),
  created_at: z.iso.datetime(),
  /** Time of the next attempt; null when there will be none. */
  due_at: z.iso.datetime().nullable(),
});
export type PushDelivery = z.infer<typeof PushDelivery>;
