/** What became of what was posted about tasks, for whoever runs the server. */
import * as z from "zod";

export type LetterKind = z.infer<typeof LetterKind>;
const LetterKind = z.enum(["status", "artifact", "task"]);

export type LetterState = z.infer<typeof LetterState>;
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
  /** Of the address, which may be a secret as a whole. */
  host: z.string(),
  state: LetterState,
  /** Tries so far. */
  attempt: z.int(),
  /** What the receiver answered at the last try. */
  status: z.int().nullable(),
  /** Why the last try failed. */
  why: z.string().nullable(),
  created_at: z.iso.datetime(),
  /** Of the next try; null when there will be none. */
  due_at: z.iso.datetime().nullable(),
});
export type PushDelivery = z.infer<typeof PushDelivery>;
