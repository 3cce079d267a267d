import * as z from "zod";
import { listOf, Members, nullish, Page, Time } from "./fields.ts";
import type { JsonObject } from "./json.ts";
import { MultitaskStrategy, RunCreate } from "./runs.ts";
import { StreamMode } from "./stream.ts";

/** Action on the thread that a firing created, for crons without a thread. */
export const OnRunCompleted = z.enum(["delete", "keep"]);
export type OnRunCompleted = z.infer<typeof OnRunCompleted>;

/** Schema of a name in the IANA database of time zones. Offsets are refused. */
const TimeZone = z.string().max(100).refine(isTimeZone, { error: "expected the IANA name of a time zone" });

function isTimeZone(name: string): boolean {
  try {
    return /^[A-Z]/i.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }).format(0) !== "";
  } catch {
    return false;
  }
}

const { assistant_id, input, config, context, webhook, metadata } = RunCreate.shape;
const { interrupt_before, interrupt_after, durability, checkpoint_during } = RunCreate.shape;

/** Fields for every run of the cron. Absent fields stay absent, so that a run's own defaults apply. */
const payload = {
  input,
  config,
  context,
  webhook,
  interrupt_before,
  interrupt_after,
  multitask_strategy: nullish(MultitaskStrategy),
  durability,
  checkpoint_during,
  stream_mode: nullish(z.union([StreamMode, listOf(StreamMode, 100)])),
  stream_subgraphs: nullish(z.boolean()),
  stream_resumable: nullish(z.boolean()),
};

const schedule = z.string().max(200);
const own = {
  timezone: nullish(TimeZone),
  /** End of the schedule; null removes it. */
  end_time: Time.nullish(),
  enabled: nullish(z.boolean()),
  on_run_completed: nullish(OnRunCompleted),
  metadata,
};

/** Body of `POST /runs/crons` and `POST /threads/{thread_id}/runs/crons`. */
export const CronCreate = z.object({ assistant_id, schedule, ...own, ...payload }).transform(withPayload);
export type CronCreate = z.infer<typeof CronCreate>;

/** Body of `PATCH /runs/crons/{cron_id}`. */
export const CronPatch = z
  .object({ assistant_id: nullish(assistant_id), schedule: nullish(schedule), ...own, ...payload })
  .transform(withPayload);
export type CronPatch = z.infer<typeof CronPatch>;

/** Moves the fields for runs into `payload`. Absent members stay absent. */
function withPayload<Sent extends object>(sent: Sent): Omit<Sent, keyof typeof payload> & { payload: JsonObject } {
  const given = Object.entries(sent).filter(([, value]) => value !== undefined);
  const rest = Object.fromEntries(given.filter(([key]) => !Object.hasOwn(payload, key)));
  // All members of `Sent` that are missing here are undefined in it, so the cast is correct.
  return { ...(rest as Sent), payload: Object.fromEntries(given.filter(([key]) => Object.hasOwn(payload, key))) };
}

/** A cron as the API returns it. */
export const Cron = z.object({
  cron_id: z.uuid(),
  assistant_id: z.uuid(),
  /** Null when every firing creates a thread. */
  thread_id: z.uuid().nullable(),
  schedule: z.string(),
  timezone: z.string().nullable(),
  end_time: z.iso.datetime().nullable(),
  enabled: z.boolean(),
  on_run_completed: OnRunCompleted.optional(),
  payload: Members,
  metadata: Members,
  user_id: z.string().nullable(),
  /** Time of the next firing; null when there is none. */
  next_run_date: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Cron = z.infer<typeof Cron>;

const filter = {
  assistant_id: nullish(z.string()),
  thread_id: nullish(z.string()),
  metadata: nullish(Members),
};

/** Body of `POST /runs/crons/count`. */
export const CronCount = z.object(filter);

/** Body of `POST /runs/crons/search`. */
export const CronSearch = z.object({
  ...filter,
  ...Page,
  enabled: nullish(z.boolean()),
  sort_by: nullish(
    z.enum(["cron_id", "assistant_id", "thread_id", "next_run_date", "end_time", "created_at", "updated_at"]),
  ).transform((field) => field ?? "created_at"),
  sort_order: nullish(z.enum(["asc", "desc"])).transform((order) => order ?? "desc"),
  select: nullish(listOf(Cron.keyof(), 100)),
});
export type CronSearch = z.infer<typeof CronSearch>;
export type CronFilter = Partial<Pick<CronSearch, "assistant_id" | "thread_id" | "metadata" | "enabled">>;
