/** Items in namespaces of the long-term store, as they appear in the API and on the worker's channel. */
import * as z from "zod";
import { isObject } from "./json.ts";
import { listOf, Members, nullish, Page, QueryBoolean } from "./fields.ts";

/** The longest namespace and the longest key that the database can index, in bytes of UTF-8. */
const LONGEST = 1024;
/** The longest time to live in minutes, nearly two thousand years. Dates can represent more. */
const LONGEST_TTL = 1e9;

const bytes = (text: string): number => new TextEncoder().encode(text).length;
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0") && bytes(text) <= LONGEST;

const Key = z.string().refine(isStorable, `expected well-formed text of at most ${LONGEST} bytes`);
/** Schema of a namespace. `rules/store/items` checks the labels, with messages that clients match. */
const Namespace = z
  .array(z.string())
  .refine((labels) => isStorable(labels.join(".")), `expected well-formed labels of at most ${LONGEST} bytes together`);

/** Schema of a search query. The limit keeps one request from embedding a very long text. */
const Query = z.string().max(100_000);

/** Operators: `{"$eq" | "$ne" | "$gt" | "$gte" | "$lt" | "$lte": value}`, `{"$in" | "$nin": values}`. All must hold. */
export const filterOperators = ["$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$in", "$nin"] as const;
export type FilterOperator = (typeof filterOperators)[number];

export function isFilterOperator(name: string): name is FilterOperator {
  return filterOperators.some((operator) => operator === name);
}

/** Conditions, keyed by member of the item's value: the value that it must equal, or operators. */
export const StoreFilter = Members.superRefine((filter, context) => {
  for (const [member, wanted] of Object.entries(filter)) {
    const names = isObject(wanted) ? Object.keys(wanted) : [];
    if (!isObject(wanted) || !names.some((name) => name.startsWith("$"))) continue;
    for (const name of names) {
      const lists = name === "$in" || name === "$nin";
      if (isFilterOperator(name) && (!lists || Array.isArray(wanted[name]))) continue;
      const message = lists ? "expected a list" : `unknown operator; known are ${filterOperators.join(", ")}`;
      context.addIssue({ code: "custom", path: [member, name], message });
    }
  }
});
export type StoreFilter = z.infer<typeof StoreFilter>;

/** Paths of an item's texts to index for vector search; false for none; absent: the paths of the configuration. */
const ItemIndex = z.union([z.literal(false), listOf(z.string().min(1).max(LONGEST), 100)], {
  error: "expected false or a list of paths",
});
/** Time to live in minutes; null: no expiry; absent: as configured. */
const Ttl = z.number().positive().max(LONGEST_TTL).nullable().optional();

/** Body of `PUT /store/items`. */
export const ItemPut = z.object({
  namespace: Namespace,
  key: Key,
  value: Members,
  index: nullish(ItemIndex),
  ttl: Ttl,
});

/** Body of `DELETE /store/items`. */
export const ItemDelete = z.object({ namespace: Namespace, key: Key });

/** Query of `GET /store/items`. The namespace is joined by periods, or given as one query parameter per label. */
export const ItemGet = z.object({
  namespace: z
    .union([z.string().transform((text) => (text === "" ? [] : text.split("."))), listOf(z.string(), 1000)])
    .pipe(Namespace),
  key: Key,
  refresh_ttl: QueryBoolean.optional(),
});

/** Body of `POST /store/items/search`. */
export const ItemSearch = z.object({
  namespace_prefix: nullish(Namespace).transform((labels) => labels ?? []),
  filter: nullish(StoreFilter),
  query: nullish(Query),
  refresh_ttl: nullish(z.boolean()),
  ...Page,
});

/** Body of `POST /store/namespaces`. A label `*` in prefix or suffix matches any label. */
export const NamespaceList = z.object({
  prefix: nullish(Namespace),
  suffix: nullish(Namespace),
  max_depth: nullish(z.int().min(1)),
  /** Adds the number of items in or below each namespace. */
  counts: nullish(z.boolean()),
  ...Page,
  limit: nullish(z.int().min(1).max(1000)).transform((limit) => limit ?? 100),
});

/** An item as the API returns it. */
export const Item = z.object({
  namespace: z.array(z.string()),
  key: z.string(),
  value: Members,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  /** Similarity in a vector search, at most 1; null for items without indexed text; absent in other searches. */
  score: z.number().nullish(),
});
export type Item = z.infer<typeof Item>;

export const NamespaceMatch = z.object({ at: z.enum(["prefix", "suffix"]), path: Namespace });
export type NamespaceMatch = z.infer<typeof NamespaceMatch>;

/** Bounds of a page in a request of a graph. */
const Bounds = { limit: z.int().min(0).max(1_000_000), offset: z.int().min(0) };
const Refresh = z.boolean().optional();

/** An operation on the store. Reads of a batch do not see the writes of the same batch. */
export const StoreOperation = z.discriminatedUnion("do", [
  /** Answer: `Item | null`. */
  z.object({ do: z.literal("get"), namespace: Namespace, key: Key, refresh: Refresh }),
  /** Answer: null. */
  z.object({
    do: z.literal("put"),
    namespace: Namespace,
    key: Key,
    value: Members,
    index: ItemIndex.optional(),
    ttl: Ttl,
  }),
  /** Answer: null. */
  z.object({ do: z.literal("delete"), namespace: Namespace, key: Key }),
  /** Answer: `Item[]`. */
  z.object({
    do: z.literal("search"),
    prefix: Namespace,
    filter: StoreFilter.optional(),
    query: Query.optional(),
    refresh: Refresh,
    ...Bounds,
  }),
  /** Answer: `string[][]`. */
  z.object({
    do: z.literal("namespaces"),
    match: z.array(NamespaceMatch),
    depth: z.int().min(0).optional(),
    ...Bounds,
  }),
]);
export type StoreOperation = z.infer<typeof StoreOperation>;
export type StoreOperationOf<Do extends StoreOperation["do"]> = Extract<StoreOperation, { do: Do }>;

/** A graph's request for a batch of operations. Answer: a list with the answer of each operation. */
export interface StoreRequest {
  about: "store";
  operations: unknown[];
}

const provider = /^openai:.+/;
const file = /^[^:]*[./][^:]*:/;

/** Section `store` of the configuration. */
export const StoreConfig = z.looseObject({
  index: z
    .looseObject({
      dims: z.int().min(1).max(16_384),
      /** `openai:<model>`, or `file:export` of the application. */
      embed: z
        .string()
        .refine((text) => provider.test(text) || file.test(text), 'expected "openai:<model>" or "./file.ts:export"'),
      fields: listOf(z.string().min(1)).default(["$"]),
    })
    .optional(),
  ttl: z
    .looseObject({
      refresh_on_read: z.boolean().default(true),
      /** Default time to live in minutes. */
      default_ttl: z.number().positive().max(LONGEST_TTL).nullish(),
      /** Interval at which expired items are deleted; half a minute by default. They are invisible before that. */
      sweep_interval_minutes: z.number().positive().nullish(),
    })
    .optional(),
});
export type StoreConfig = z.infer<typeof StoreConfig>;
