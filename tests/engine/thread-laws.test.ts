import { expect, test } from "vitest";
import { deploymentShape } from "../../lib/drivers/sql/migrations.ts";
import { queryPostgres, findPostgres, withoutDiskSync, openPostgres } from "../support/postgres.ts";
import { openMemory } from "./served.ts";
import { keepsTheLaws } from "./thread-laws.ts";

const url = await findPostgres();

test("10,000 random stories of threads in SQLite", { timeout: 600_000 }, async () => {
  expect.hasAssertions();
  await keepsTheLaws(10_000, await openMemory());
});

test.skipIf(url === undefined)("300 random stories of threads in PostgreSQL", { timeout: 600_000 }, async () => {
  expect.hasAssertions();
  const schema = `graphlib_laws_${process.pid}`;
  const opened = await openPostgres(withoutDiskSync(url ?? ""), schema, deploymentShape);
  const close = async (): Promise<void> => {
    await opened.db.destroy();
    await queryPostgres(url ?? "", `drop schema "${schema}" cascade`);
  };
  await keepsTheLaws(300, { ...opened, close });
});
