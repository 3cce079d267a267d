import { afterAll, expect, test } from "vitest";
import { groupCommit } from "../../lib/drivers/sql/group-commit.ts";
import { deploymentShape } from "../../lib/drivers/sql/migrations.ts";
import { openSqlite } from "../../lib/drivers/sql/sqlite.ts";
import { DatabaseAway } from "../../lib/drivers/sql/try-again.ts";

const db = await openSqlite(":memory:", deploymentShape);
afterAll(() => db.destroy());

test.each([
  ["is away fails all writes of a group at once", new DatabaseAway(new Error("no answer")), 1],
  ["refuses a group is asked for each of its writes", new Error("not this one"), 4],
])("a database that %s", async (_, error, transactions) => {
  let asked = 0;
  const transact = (): Promise<never> => {
    asked += 1;
    return Promise.reject(error);
  };
  const commit = groupCommit(db, { transact });
  const writes = [1, 2, 3].map(() => commit(() => Promise.resolve()));
  for (const settled of await Promise.allSettled(writes))
    expect(settled).toEqual({ status: "rejected", reason: error });
  expect(asked).toBe(transactions);
});
