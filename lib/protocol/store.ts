/** The long-term store: items in namespaces, as they are on the wire and on the worker's channel. */
import * as z from "zod";
import { isObject } from "./json.ts";
import { listOf, Members, nullish, Page, QueryBoolean } from "./fields.ts";

/** What an index of the database can hold of each, in bytes of UTF-8. */
const LONGEST = 1024;
/** Nearly two thousand years; dates have room for more. */
const LONGEST_TTL = 1e9;

const bytes = (text: string): number => new TextEncoder().encode(text).length;
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0") && bytes(text) <= LONGEST;

const Key = z.string().refine(isStorable, `expected well-formed text of at most ${LONGEST} bytes`);
/** Which labels are allowed is decided by `rules/store/items`, in the words that clients match. */
const Namespace = z
  .array(z.string())
  .refine((labels) => isStorable(labels.join(".")), `expected well-formed labels of at most ${LONGEST} bytes together`);

/** A ceiling for what a stored item may say of itself to a search, so that one query cannot ask for a novel to be read. */
const Query = z.string().max(100_000);

/** `{"$eq" | "$ne" | "$gt" | "$gte" | "$lt" | "$lte": value}` or `{"$in" | "$nin": values}`; several must all hold. */
export const filterOperators = ["$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$in", "$nin"] as const;
export type FilterOperator = (typeof filterOperators)[number];

export function isFilterOperator(name: string): name is FilterOperator {
  return filterOperators.some((operator) => operator === name);
}

/** By member of the item's value: a value it must equal, or operators. */
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

/** Which texts of an item are searched by meaning: none, or those at these paths; left out, those of the configuration. */
const ItemIndex = z.union([z.literal(false), listOf(z.string().min(1).max(LONGEST), 100)], {
  error: "expected false or a list of paths",
});
/** Minutes; null: for ever; left out: as configured. */
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

/** Query of `GET /store/items`: the namespace joined by periods, or a label a key. */
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

/** Body of `POST /store/namespaces`; a label `*` in prefix or suffix stands for any. */
export const NamespaceList = z.object({
  prefix: nullish(Namespace),
  suffix: nullish(Namespace),
  max_depth: nullish(z.int().min(1)),
  ...Page,
  limit: nullish(z.int().min(1).max(1000)).transform((limit) => limit ?? 100),
});

/** An item as it is on the wire. */
export const Item = z.object({
  namespace: z.array(z.string()),
  key: z.string(),
  value: Members,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  /** Only in a search by meaning: how near, 1 being nearest; null for what has no indexed text. */
  score: z.number().nullish(),
});
export type Item = z.infer<typeof Item>;

export const NamespaceMatch = z.object({ at: z.enum(["prefix", "suffix"]), path: Namespace });
export type NamespaceMatch = z.infer<typeof NamespaceMatch>;

/** What a graph may ask for at most at once. */
const Bounds = { limit: z.int().min(0).max(1_000_000), offset: z.int().min(0) };
const Refresh = z.boolean().optional();

/** One thing to do in the store. Those of one batch that read see nothing of those that write. */
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

/** What a graph asks. Answer: a list with the answer of each operation. */
export interface StoreAsk {
  about: "store";
  operations: unknown[];
}

const provider = /^openai:.+/;
const file = /^[^:]*[./][^:]*:/;

/** The `store` key of the configuration. */
export const StoreConfig = z.looseObject({
  index: z
    .looseObject({
      dims: z.int().min(1).max(16_384),
      /** `openai:<model>`, or a file of the application and its export. */
      embed: z
        .string()
        .refine((text) => provider.test(text) || file.test(text), 'expected "openai:<model>" or "./file.ts:export"'),
      fields: listOf(z.string().min(1)).default(["$"]),
    })
    .optional(),
  ttl: z
    .looseObject({
      refresh_on_read: z.boolean().default(true),
      /** Minutes. */
      default_ttl: z.number().positive().max(LONGEST_TTL).nullish(),
      /** How often what has expired is deleted; it is not seen before either. Every half minute when left out. */
      sweep_interval_minutes: z.number().positive().nullish(),
    })
    .optional(),
});
export type StoreConfig = z.infer<typeof StoreConfig>;
