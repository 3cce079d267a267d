import * as z from "zod";
import { CursorPage, listOf, Members, nullish, QueryBoolean, QueryList, Time } from "./fields.ts";
import { RunError, StreamMode } from "./stream.ts";

export const RunStatus = z.enum(["pending", "running", "success", "error", "interrupted", "timeout"]);
export type RunStatus = z.infer<typeof RunStatus>;

export const MultitaskStrategy = z.enum(["reject", "interrupt", "rollback", "enqueue"]);
export type MultitaskStrategy = z.infer<typeof MultitaskStrategy>;

export const RunConfig = z.looseObject({
  tags: nullish(listOf(z.string())),
  recursion_limit: nullish(z.int().min(1).max(10_000)),
  configurable: nullish(Members),
  metadata: nullish(Members),
});
export type RunConfig = z.infer<typeof RunConfig>;

export const Command = z.object({
  resume: z.unknown().optional(),
  update: nullish(z.union([Members, listOf(z.tuple([z.string(), z.unknown()]))])),
  goto: z.unknown().optional(),
});
export type Command = z.infer<typeof Command>;

/** The time at which checkpoints are written: before the next step begins, while it runs, or at the end of the run. */
export const Durability = z.enum(["sync", "async", "exit"]);
export type Durability = z.infer<typeof Durability>;

const StreamModes = nullish(z.union([StreamMode, listOf(StreamMode, 100)])).transform((modes): StreamMode[] => {
  const list = typeof modes === "string" ? [modes] : (modes ?? []);
  return list.length > 0 ? [...new Set(list)] : ["values"];
});

const NodeNames = nullish(z.union([z.literal("*"), listOf(z.string())]));

/** Body of every request that creates a run. Unknown fields are ignored, because clients add fields all the time. */
export const RunCreate = z.object({
  assistant_id: z.string().min(1).max(255),
  input: z.unknown().optional(),
  command: nullish(Command),
  config: nullish(RunConfig),
  context: nullish(Members),
  metadata: nullish(Members),
  stream_mode: StreamModes,
  stream_subgraphs: nullish(z.boolean()).transform((value) => value ?? false),
  stream_resumable: nullish(z.boolean()).transform((value) => value ?? false),
  interrupt_before: NodeNames,
  interrupt_after: NodeNames,
  on_disconnect: nullish(z.enum(["cancel", "continue"])).transform((value) => value ?? "continue"),
  on_completion: z
    .unknown()
    .optional()
    .transform((value) => (value === "keep" ? "keep" : "delete")),
  multitask_strategy: nullish(MultitaskStrategy).transform((value) => value ?? "enqueue"),
  feedback_keys: nullish(listOf(z.string())),
  webhook: nullish(z.string().max(65_536)),
  after_seconds: nullish(z.number().min(0).max(31_536_000)),
  if_not_exists: nullish(z.enum(["create", "reject"])).transform((value) => value ?? "reject"),
  checkpoint_id: nullish(z.string()),
  checkpoint: nullish(Members),
  durability: nullish(Durability),
  /** Older form of `durability`: false is `exit`, true is `async`. */
  checkpoint_during: nullish(z.boolean()),
});
export type RunCreate = z.infer<typeof RunCreate>;

/** Arguments of a run, with all defaults filled in. */
export const RunKwargs = z.object({
  input: z.unknown(),
  command: Command.nullable(),
  config: RunConfig,
  context: Members.nullable(),
  stream_mode: z.array(StreamMode),
  interrupt_before: z.union([z.literal("*"), z.array(z.string())]).nullable(),
  interrupt_after: z.union([z.literal("*"), z.array(z.string())]).nullable(),
  webhook: z.string().nullable(),
  feedback_keys: z.array(z.string()).nullable(),
  temporary: z.boolean(),
  subgraphs: z.boolean(),
  resumable: z.boolean(),
  durability: Durability.optional(),
  /** True if the events include a short note for each checkpoint, as the thread streaming protocol needs it. */
  checkpoint_notes: z.boolean().optional(),
});
export type RunKwargs = z.infer<typeof RunKwargs>;

/** A run as the API returns it. */
export const Run = z.object({
  run_id: z.uuid(),
  thread_id: z.uuid(),
  assistant_id: z.uuid(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  status: RunStatus,
  metadata: Members,
  kwargs: RunKwargs,
  multitask_strategy: MultitaskStrategy,
  /** The trigger of the run, one of `triggers`. */
  trigger: z.string(),
  /** Start of the first attempt. */
  started_at: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime().nullable(),
  /** Time of the first event with a piece of a message; null before the run's end. */
  first_token_at: z.iso.datetime().nullable(),
  attempts: z.int(),
  error: RunError.nullable(),
});
export type Run = z.infer<typeof Run>;

/** The known triggers of runs. */
export const triggers = ["api", "chat", "studio", "console", "a2a", "cron"] as const;
export type Trigger = (typeof triggers)[number];

/** The triggers that a client may name: the parts of the console that start runs. */
const clients = ["chat", "studio", "console"] as const satisfies readonly Trigger[];
export type RunClient = (typeof clients)[number];

/** Returns the trigger of a run that a client with this value of `CLIENT_HEADER` starts. */
export function triggerOf(client: string | null): Trigger {
  return clients.find((one) => one === client) ?? "api";
}

const oneOrList = <S extends z.ZodType>(schema: S) =>
  nullish(z.union([schema.transform((one) => [one]), listOf(schema, 20)]))
    .transform((values) => values && [...new Set(values)])
    .optional();

const runFilter = {
  /** One status, or several. */
  status: oneOrList(RunStatus),
  assistant_id: nullish(z.string()),
  thread_id: nullish(z.uuid().toLowerCase()),
  /** One trigger, or several. */
  trigger: oneOrList(z.string().max(50)),
  metadata: nullish(Members),
  /** The earliest `created_at`. */
  created_after: nullish(Time),
  /** All `created_at` are earlier. */
  created_before: nullish(Time),
};

/** Body of `POST /runs/count`. */
export const RunCount = z.object(runFilter);
export type RunFilter = z.infer<typeof RunCount>;

/** Body of `POST /runs/search`. */
export const RunSearch = z.object({
  ...runFilter,
  ...CursorPage,
  sort_order: nullish(z.enum(["asc", "desc"])).transform((order) => order ?? "desc"),
  select: nullish(listOf(Run.keyof(), 100)),
});
export type RunSearch = z.infer<typeof RunSearch>;

/** Query of `GET /threads/{thread_id}/runs`. */
export const RunListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).optional(),
  offset: z.coerce.number().int().min(0).optional(),
  status: RunStatus.optional(),
  select: QueryList,
});

export const CancelAction = z.enum(["interrupt", "rollback"]);
export type CancelAction = z.infer<typeof CancelAction>;

/** Query of `POST /threads/{thread_id}/runs/{run_id}/cancel`. */
export const CancelQuery = z.object({ wait: QueryBoolean.optional(), action: CancelAction.optional() });

/** Body of `POST /runs/cancel`. */
export const CancelMany = z
  .object({
    status: nullish(z.enum(["pending", "running", "all"])),
    thread_id: nullish(z.uuid()),
    run_ids: nullish(listOf(z.uuid(), 1000)),
    thread_ids: nullish(listOf(z.uuid().toLowerCase(), 1000)),
  })
  .refine(
    ({ status, thread_id, run_ids, thread_ids }) => {
      const ways = [status !== undefined, thread_id !== undefined && run_ids !== undefined, thread_ids !== undefined];
      return ways.filter(Boolean).length === 1;
    },
    {
      message: "expected either status, or thread_id with run_ids, or thread_ids",
    },
  );

export const CancelManyQuery = z.object({ action: CancelAction.optional() });

export const JoinWaitQuery = z.object({ cancel_on_disconnect: QueryBoolean.optional() });

/** Query of `GET /runs/{run_id}/stream`. */
export const JoinQuery = z.object({
  stream_mode: QueryList.pipe(z.array(StreamMode).optional()),
  cancel_on_disconnect: QueryBoolean.optional(),
});
export type JoinQuery = z.infer<typeof JoinQuery>;
