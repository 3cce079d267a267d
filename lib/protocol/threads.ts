import * as z from "zod";
import { Cursor, listOf, Members, nullish, Page, QueryBoolean, QueryList } from "./fields.ts";
import { Command, RunConfig } from "./runs.ts";

export const ThreadStatus = z.enum(["idle", "busy", "interrupted", "error"]);
export type ThreadStatus = z.infer<typeof ThreadStatus>;

/** A question for which a graph stopped and waits for an answer. */
export const Interrupt = z.looseObject({ id: z.string().optional(), value: z.unknown() });
export type Interrupt = z.infer<typeof Interrupt>;

/** A thread as the API returns it. `interrupts` are keyed by the id of the waiting task. */
export const Thread = z.object({
  thread_id: z.uuid(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  state_updated_at: z.iso.datetime(),
  metadata: Members,
  status: ThreadStatus,
  config: RunConfig,
  values: z.unknown().nullable(),
  interrupts: z.record(z.string(), z.array(Interrupt)),
  /** True if a person has to answer an interrupt, or to go on from a breakpoint. */
  waiting: z.boolean(),
  error: z.unknown().optional(),
  ttl: z.object({ strategy: z.string(), ttl_minutes: z.number(), expires_at: z.iso.datetime() }).optional(),
});
export type Thread = z.infer<typeof Thread>;

/** Schema of minutes, at most a thousand years: times much later have no ISO 8601 text. */
const Minutes = z.number().positive().max(525_960_000);

/** Schema of a time to live: minutes, or an object with `ttl` in minutes. */
const Ttl = z
  .union([Minutes, z.object({ ttl: Minutes, strategy: nullish(z.string()) })])
  .transform((ttl) => (typeof ttl === "number" ? { ttl, strategy: "delete" } : { ...ttl, strategy: ttl.strategy }))
  .transform(({ ttl, strategy }) => ({ ttl, strategy: strategy ?? "delete" }))
  .pipe(z.object({ ttl: z.number(), strategy: z.enum(["delete", "keep_latest"]) }));
export type Ttl = z.infer<typeof Ttl>;

/** State updates that are applied together as one step. */
const Superstep = z.object({
  updates: listOf(z.object({ as_node: z.string(), values: z.unknown().optional(), command: nullish(Command) })),
});
export type Superstep = z.infer<typeof Superstep>;

/** Body of `POST /threads`. */
export const ThreadCreate = z.object({
  thread_id: nullish(z.uuid()),
  metadata: nullish(Members),
  if_exists: nullish(z.enum(["raise", "do_nothing"])).transform((value) => value ?? "raise"),
  supersteps: nullish(listOf(Superstep)),
  ttl: nullish(Ttl),
});
export type ThreadCreate = z.infer<typeof ThreadCreate>;

/** Body of `POST /threads/{thread_id}/copy`. */
export const ThreadCopy = z.object({
  checkpoint_id: nullish(z.string().max(200)),
  thread_id: nullish(z.uuid().toLowerCase()),
});

/** Body of `PATCH /threads/{thread_id}`. */
export const ThreadPatch = z.object({ metadata: nullish(Members), ttl: nullish(Ttl) });
export type ThreadPatch = z.infer<typeof ThreadPatch>;

const threadFields = z.enum([
  "thread_id",
  "created_at",
  "updated_at",
  "state_updated_at",
  "metadata",
  "config",
  "context",
  "status",
  "values",
  "interrupts",
  "waiting",
  "error",
  "ttl",
]);

const filters = {
  metadata: nullish(Members),
  values: nullish(Members),
  ids: nullish(listOf(z.uuid(), 1000)),
  status: nullish(ThreadStatus),
  /** Only threads that wait for a person, or only the others. */
  waiting: nullish(z.boolean()),
};

/** The orders in which pages are read by cursor. */
const CursorSort = z.enum(["created_at", "updated_at", "state_updated_at"]);
export type CursorSort = z.infer<typeof CursorSort>;

/** Body of `POST /threads/count`. */
export const ThreadCount = z.object(filters);
export type ThreadFilter = z.infer<typeof ThreadCount>;

/** Returns whether pages in this order can be read by cursor. */
export function isCursorSort(sort: string): sort is CursorSort {
  return CursorSort.options.some((one) => one === sort);
}

/** Body of `POST /threads/search`. */
export const ThreadSearch = z
  .object({
    ...filters,
    ...Page,
    /** The position at which the page begins, in place of `offset`. An empty one asks for the first page. */
    cursor: Cursor,
    sort_by: nullish(z.enum(["thread_id", "status", "created_at", "updated_at", "state_updated_at"])).transform(
      (field) => field ?? "created_at",
    ),
    sort_order: nullish(z.enum(["asc", "desc"])).transform((order) => order ?? "desc"),
    select: nullish(listOf(threadFields, 100)),
    /** Paths such as `values.messages[-1].content`, keyed by their aliases in the response. */
    extract: nullish(z.record(z.string(), z.string().max(500))),
  })
  .refine(({ cursor, offset }) => cursor === undefined || offset === 0, {
    path: ["offset"],
    message: "expected none beside a cursor",
  })
  .refine(({ cursor, sort_by }) => cursor === undefined || isCursorSort(sort_by), {
    path: ["sort_by"],
    message: `expected one of ${CursorSort.options.join(", ")} beside a cursor`,
  });
export type ThreadSearch = z.infer<typeof ThreadSearch>;

/** Body of `POST /threads/prune`. */
export const ThreadPrune = z.object({
  thread_ids: listOf(z.uuid(), 1000),
  strategy: nullish(z.enum(["delete", "keep_latest"])).transform((value) => value ?? "delete"),
});

/** A position in a thread's history. */
export const Checkpoint = z.looseObject({
  checkpoint_id: nullish(z.string()),
  checkpoint_ns: nullish(z.string()),
  checkpoint_map: nullish(Members),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** The most characters of JSON that the values of a state have, and the result of each task. The largest keys are left out. */
const ValueLimit = z.int().min(0);
const QueryValueLimit = z.coerce.number().pipe(ValueLimit).optional();

export const StateQuery = z.object({
  subgraphs: QueryBoolean.optional(),
  select: QueryList,
  value_limit: QueryValueLimit,
});

/** Body of `POST /threads/{thread_id}/state/checkpoint`. */
export const StateAt = z.object({
  checkpoint: Checkpoint,
  subgraphs: nullish(z.union([z.boolean(), QueryBoolean])),
  select: nullish(listOf(z.string(), 100)),
  value_limit: nullish(ValueLimit),
});

/** Body of `POST /threads/{thread_id}/state`. */
export const StateUpdate = z.object({
  values: z.union([Members, z.array(z.unknown())]).nullish(),
  as_node: nullish(z.string()),
  checkpoint: nullish(Checkpoint),
  checkpoint_id: nullish(z.string()),
});
export type StateUpdate = z.infer<typeof StateUpdate>;

/** Schema of a checkpoint's id, in all forms that clients send. */
const Before = z.union([
  z.string(),
  z
    .looseObject({ configurable: z.looseObject({ checkpoint_id: z.string() }) })
    .transform((config) => config.configurable.checkpoint_id),
  z.looseObject({ checkpoint_id: z.string() }).transform((checkpoint) => checkpoint.checkpoint_id),
]);

/** Body of `POST /threads/{thread_id}/history`. */
export const StateHistory = z.object({
  limit: nullish(z.int().min(1).max(1000)).transform((limit) => limit ?? 10),
  before: nullish(Before),
  metadata: nullish(Members),
  checkpoint: nullish(Checkpoint),
  select: nullish(listOf(z.string(), 100)),
  value_limit: nullish(ValueLimit),
});
export type StateHistory = z.infer<typeof StateHistory>;

export const HistoryQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).optional(),
  before: z.string().optional(),
  select: QueryList,
  value_limit: QueryValueLimit,
});

/** A thread's state at a checkpoint, as clients see it (docs/api/runs.md#state-and-history). */
export interface ThreadState {
  values: unknown;
  next: string[];
  tasks: unknown[];
  metadata?: unknown;
  created_at: string | null;
  checkpoint: unknown;
  parent_checkpoint: unknown;
  interrupts?: unknown[];
  /** The parts of the values that `value_limit` left out: sizes in characters of JSON, by the paths that `select` takes. */
  omitted?: Readonly<Record<string, number>>;
}

/** State of a thread after one of its runs has ended. */
export interface ThreadEnd {
  /** JSON text of the state's values. */
  values: string;
  /** Nodes that would come next; not empty while the thread waits for a person. */
  next: string[];
  interrupts: Record<string, Interrupt[]>;
}
