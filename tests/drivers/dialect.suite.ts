import fc from "fast-check";
import type { Expression, Kysely, SqlBool } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hasMembers, includesText } from "../../lib/drivers/sql/dialect.ts";
import type { Tables } from "../../lib/drivers/sql/tables.ts";
import type { JsonObject } from "../../lib/protocol/json.ts";
import { hasMembers as isPart } from "../support/has-members.ts";

export interface DatabaseUnderTest {
  db: Kysely<Tables>;
  close(): Promise<void>;
}

/** Tests that statements that differ between the two dialects have the same meaning. */
export function dialectSuite(name: string, open: () => Promise<DatabaseUnderTest>): void {
  describe(`the dialect of ${name}`, () => {
    let under: DatabaseUnderTest;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(async () => {
      await under.close();
    });
    beforeEach(async () => {
      await under.db.deleteFrom("assistants").execute();
    });

    const insert = async (texts: readonly { name?: string; metadata?: unknown }[]): Promise<void> => {
      const rows = texts.map((text, index) => ({
        assistant_id: String(index),
        graph_id: "",
        name: text.name ?? "",
        description: null,
        config: "{}",
        context: "{}",
        metadata: JSON.stringify(text.metadata ?? {}),
        version: 1,
        created_at: "",
        updated_at: "",
      }));
      await under.db.deleteFrom("assistants").execute();
      await under.db.insertInto("assistants").values(rows).execute();
    };
    const found = async (condition: Expression<SqlBool>): Promise<number[]> => {
      const rows = await under.db.selectFrom("assistants").select("assistant_id").where(condition).execute();
      return rows.map((row) => Number(row.assistant_id)).toSorted((a, b) => a - b);
    };
    const indexes = <T>(values: readonly T[], is: (value: T) => boolean): number[] =>
      values.flatMap((value, index) => (is(value) ? [index] : []));

    // There are few keys and values, so that some match; the odd ones are hard for a database. No key has a backslash,
    // because after `{"a":1,"\\":1}` V8's own JSON.parse reads `{"a":1,"\"":1}` as the same.
    const key = fc.constantFrom("a", "b", "", "1", "a.b", '"', "\0", "\ud800", "é", "$");
    const scalar = fc.constantFrom(
      0,
      1,
      -1.5,
      1e21,
      1e-7,
      "",
      "1",
      "a",
      "\0",
      "\udc00",
      "\\ud800",
      "é",
      true,
      false,
      null,
    );
    const { object } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        { weight: 3, arbitrary: scalar },
        { weight: 1, arbitrary: fc.array(tie("value"), { maxLength: 3 }) },
        { weight: 2, arbitrary: tie("object") },
      ),
      object: fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
    })) as { object: fc.Arbitrary<JsonObject> };

    test("an object contains the members of another at any depth, but no array contains a shorter one", async () => {
      const parts = (one: JsonObject): fc.Arbitrary<JsonObject> =>
        fc.subarray(Object.entries(one)).map((entries) => Object.fromEntries(entries));
      const documents = fc.array(object, { minLength: 1, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(
          documents.chain((all) => fc.tuple(fc.constant(all), fc.oneof(object, parts(all[0] ?? {})))),
          async ([all, wanted]) => {
            await insert(all.map((metadata) => ({ metadata })));
            expect(await found(hasMembers(under.db, "metadata", wanted))).toEqual(
              indexes(all, (document) => isPart(document, wanted)),
            );
          },
        ),
        { numRuns: 150 },
      );
    });

    test("a search may name thousands of members", async () => {
      const members = Array.from({ length: 3_000 }, (_, n): [string, unknown] => [`k${n}`, n % 2 === 0 ? n : [n]]);
      const large = Object.fromEntries(members);
      await insert([{ metadata: large }, { metadata: { ...large, k2999: [] } }, { metadata: { ...large, more: 1 } }]);
      expect(await found(hasMembers(under.db, "metadata", large))).toEqual([0, 2]);
    });

    test("text is found within text ignoring case, beyond ASCII too, and no character is a wildcard", async () => {
      const names = ["Straßenbahn", "ÉTUDE", "étude", "100%", "a_b", "back\\slash", "nul\0nul", "Ωμέγα"];
      await insert(names.map((one) => ({ name: one })));
      const by = (part: string): Promise<number[]> => found(includesText(under.db, "name", part));
      expect(await by("éTu")).toEqual([1, 2]);
      expect(await by("STRA")).toEqual([0]);
      expect(await by("%")).toEqual([3]);
      expect(await by("_")).toEqual([4]);
      expect(await by("\\")).toEqual([5]);
      expect(await by("L\0N")).toEqual([6]);
      expect(await by("ωΜ")).toEqual([7]);
      expect(await by("")).toEqual(names.map((_, index) => index));
    });

    test("text is ordered and compared by its bytes, whatever the database's locale", async () => {
      const names = ["b", "B", "a", "_", "é", "z", "A-b", "Ab", "\u{1f600}", "\uffee"];
      await insert(names.map((one) => ({ name: one })));
      const rows = await under.db.selectFrom("assistants").select("name").orderBy("name").execute();
      const byBytes = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(rows.map((row) => row.name)).toEqual(byBytes);
      const after = await under.db.selectFrom("assistants").select("name").where("name", ">", "Z").execute();
      expect(after).toHaveLength(byBytes.filter((one) => one > "Z").length);
    });
  });
}
