import { type Kysely, type Selectable, sql } from "kysely";
import type { AssistantStore } from "../../engine/ports.ts";
import type { Assistant, AssistantSearch } from "../../protocol/assistants.ts";
import { fromJson } from "./json-column.ts";
import { type Param, prepared } from "./prepared.ts";
import type { AssistantsTable, Tables } from "./tables.ts";

/** Assistants kept at hand: every run asks for its own. All writes pass here, and drop them. */
const KNOWN = 500;

export function sqlAssistants(db: Kysely<Tables>): AssistantStore {
  const byId = prepared((param: Param<{ assistantId: string }>) =>
    db.selectFrom("assistants").selectAll().where("assistant_id", "=", param("assistantId")),
  );
  const known = new Map<string, Assistant>();
  return {
    async ensure(assistant) {
      known.clear();
      await db
        .insertInto("assistants")
        .values({
          ...assistant,
          config: JSON.stringify(assistant.config),
          context: JSON.stringify(assistant.context),
          metadata: JSON.stringify(assistant.metadata),
        })
        .onConflict((conflict) => conflict.column("assistant_id").doNothing())
        .execute();
    },
    async get(assistantId) {
      const kept = known.get(assistantId);
      if (kept) return kept;
      const [row] = await byId(db, { assistantId });
      if (!row) return undefined;
      const assistant = fromRow(row);
      if (known.size >= KNOWN) known.clear();
      known.set(assistantId, assistant);
      return assistant;
    },
    async search(search) {
      const [rows, count] = await Promise.all([
        matching(db, search)
          .selectAll()
          .orderBy(search.sort_by, search.sort_order)
          .orderBy("assistant_id")
          .limit(search.limit)
          .offset(search.offset)
          .execute(),
        matching(db, search)
          .select(sql<number>`count(*)`.as("n"))
          .executeTakeFirstOrThrow(),
      ]);
      return { assistants: rows.map(fromRow), total: count.n };
    },
  };
}

function matching(db: Kysely<Tables>, search: AssistantSearch) {
  let query = db.selectFrom("assistants");
  if (search.graph_id !== undefined) query = query.where("graph_id", "=", search.graph_id);
  if (search.name !== undefined) {
    query = query.where(sql<boolean>`instr(lower(name), ${search.name.toLowerCase()}) > 0`);
  }
  for (const [key, value] of Object.entries(search.metadata ?? {}))
    query = query.where(contains("metadata", key, value));
  return query;
}

/** Whether the JSON object in a column has this member with this value. */
function contains(column: "metadata", key: string, value: unknown) {
  return sql<boolean>`exists (select 1 from json_each(${sql.ref(column)}) as member
    where member.key = ${key} and ${sql.ref(column)} -> member.fullkey = json(${JSON.stringify(value ?? null)}))`;
}

function fromRow(row: Selectable<AssistantsTable>): Assistant {
  return {
    ...row,
    config: fromJson(row.config),
    context: fromJson(row.context),
    metadata: fromJson(row.metadata),
  };
}
