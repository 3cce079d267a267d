import type { Selectable } from "kysely";
import type { Assistant, AssistantVersion, VersionSearch } from "../../protocol/assistants.ts";
import { hasMembers } from "./dialect.ts";
import { fromJson } from "./json-column.ts";
import type { AssistantVersionsTable, Db } from "./tables.ts";

/** Stores an assistant's current fields under its current version number. */
export async function insertVersion(tx: Db, assistant: Assistant, now: string): Promise<void> {
  const { updated_at: _, ...fields } = assistant;
  await tx
    .insertInto("assistant_versions")
    .values({
      ...fields,
      config: JSON.stringify(assistant.config),
      context: JSON.stringify(assistant.context),
      metadata: JSON.stringify(assistant.metadata),
      created_at: now,
    })
    .execute();
}

export async function readVersion(tx: Db, assistantId: string, version: number) {
  return await tx
    .selectFrom("assistant_versions")
    .selectAll()
    .where("assistant_id", "=", assistantId)
    .where("version", "=", version)
    .executeTakeFirst();
}

/** Returns the versions of an assistant, the newest first. */
export async function readVersions(db: Db, assistantId: string, search: VersionSearch): Promise<AssistantVersion[]> {
  let query = db.selectFrom("assistant_versions").selectAll().where("assistant_id", "=", assistantId);
  if (search.metadata !== undefined) query = query.where(hasMembers(db, "metadata", search.metadata));
  const rows = await query.orderBy("version", "desc").limit(search.limit).offset(search.offset).execute();
  return rows.map(fromRow);
}

export async function deleteVersions(tx: Db, assistantId: string): Promise<void> {
  await tx.deleteFrom("assistant_versions").where("assistant_id", "=", assistantId).execute();
}

function fromRow(row: Selectable<AssistantVersionsTable>): AssistantVersion {
  return {
    ...row,
    config: fromJson(row.config),
    context: fromJson(row.context),
    metadata: fromJson(row.metadata),
  };
}
