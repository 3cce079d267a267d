/** Tests blobs: the drivers alike, and the names by which servers find them. */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Blobs } from "../../lib/drivers/blobs/blobs.ts";
import { databaseBlobs } from "../../lib/drivers/blobs/database.ts";
import { folderBlobs } from "../../lib/drivers/blobs/folder.ts";
import { createNamedBlobs } from "../../lib/drivers/blobs/named-blobs.ts";
import { s3Blobs } from "../../lib/drivers/blobs/s3.ts";
import { platformShape } from "../../lib/drivers/sql/platform/shape.ts";
import type { PlatformDb } from "../../lib/drivers/sql/platform/tables.ts";
import { breakConnections, findPostgres, openPostgres, queryPostgres, withoutDiskSync } from "../support/postgres.ts";
import { startS3 } from "../support/s3-server.ts";

const found = await findPostgres();
const url = withoutDiskSync(found ?? "postgres://none");
const schema = `graphlib_blobs_${process.pid}`;
const s3 = await startS3();
const folder = await mkdtemp(join(tmpdir(), "graphlib-blobs-"));
afterAll(async () => {
  await rm(folder, { recursive: true });
  await s3?.stop();
});

const HOUR_MS = 3_600_000;
let db: PlatformDb;
let time = Date.UTC(2026, 10, 28);
const now = (): number => time;

const inS3 = (bucket: string, prefix = "", secretAccessKey = s3?.keys.secretAccessKey ?? ""): Blobs => {
  const endpoint = s3?.endpoint ?? "";
  const keys = { accessKeyId: s3?.keys.accessKeyId ?? "", secretAccessKey, sessionToken: undefined };
  return s3Blobs({ bucket, prefix, region: "us-east-1", endpoint, ...keys });
};

const DRIVERS: { where: string; open: () => Promise<Blobs>; skip: boolean }[] = [
  { where: "a folder", open: () => Promise.resolve(folderBlobs(join(folder, "shared"))), skip: false },
  { where: "PostgreSQL", open: () => Promise.resolve(databaseBlobs(db)), skip: false },
  { where: "S3", open: async () => inS3((await s3?.bucket("blobs")) ?? "", "of/tests"), skip: s3 === undefined },
];

async function fileOf(bytes: Uint8Array): Promise<string> {
  const file = join(folder, randomUUID());
  await writeFile(file, bytes);
  return file;
}

async function bytesOf(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all);
}

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

describe.skipIf(found === undefined).each(DRIVERS.filter(({ skip }) => !skip))("blobs in $where", ({ open }) => {
  let blobs: Blobs;
  beforeAll(async () => {
    ({ db } = await openPostgres(url, schema, platformShape));
    blobs = await open();
  });
  afterAll(async () => {
    await db.destroy();
    await queryPostgres(url, `drop schema if exists "${schema}" cascade`);
  });

  const named = () => createNamedBlobs(db, blobs, now);
  const readBlob = async (name: string): Promise<Buffer | undefined> => {
    const blob = await named().find(name);
    let read: Buffer | undefined;
    if (blob) await named().read(blob, "It", async (parts) => void (read = await bytesOf(parts)));
    return read;
  };

  test("are read as they were stored, whatever their size", async () => {
    const sizes = fc.constantFrom(0, 1, 65_536, 1024 * 1024 - 1, 1024 * 1024, 1024 * 1024 + 1, 2_500_000);
    await fc.assert(
      fc.asyncProperty(sizes, fc.string(), async (size, details) => {
        const bytes = randomBytes(size);
        const { sha256 } = await named().put("a", await fileOf(bytes), { details });
        expect(sha256).toBe(digestOf(bytes));
        expect(await blobs.has(sha256)).toBe(true);
        expect((await named().find("a"))?.details).toEqual({ details });
        expect((await readBlob("a"))?.equals(bytes)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  test("that nobody has stored are missing", async () => {
    const none = digestOf(Buffer.from("nothing"));
    expect(await blobs.has(none)).toBe(false);
    expect(await blobs.get(none)).toBeUndefined();
    expect(await named().find("nothing")).toBeUndefined();
    await blobs.delete(none);
  });

  test("are stored once, also by several servers at the same time", async () => {
    const bytes = randomBytes(3_000_000);
    const names = ["one", "two", "three", "four"];
    await Promise.all(names.map(async (name) => await named().put(name, await fileOf(bytes), { name })));
    for (const name of names) expect((await readBlob(name))?.equals(bytes)).toBe(true);
    expect(new Set((await Promise.all(names.map((name) => named().find(name)))).map((one) => one?.sha256)).size).toBe(
      1,
    );
  });

  test("are removed an hour after their last name, and not while one has it", async () => {
    const bytes = randomBytes(1_500_000);
    const { sha256 } = await named().put("build/x/1", await fileOf(bytes), {});
    await named().put("build/x/2", await fileOf(bytes), {});
    expect((await named().list("build/x/")).map(({ name }) => name)).toEqual(["build/x/1", "build/x/2"]);
    await named().drop(["build/x/1"]);
    time += 2 * HOUR_MS;
    await named().sweep();
    expect((await readBlob("build/x/2"))?.equals(bytes)).toBe(true);
    await named().drop(["build/x/2"]);
    await named().sweep();
    expect(await blobs.has(sha256)).toBe(false);
    expect(await named().list("build/x/")).toEqual([]);
    await named().put("build/x/3", await fileOf(bytes), {});
    await named().drop(["build/x/3"]);
    await named().sweep();
    expect(await blobs.has(sha256)).toBe(true);
  });

  test("that are stored while they are swept are there afterwards", async () => {
    for (let round = 0; round < 20; round++) {
      const bytes = randomBytes(10_000);
      await named().put("old", await fileOf(bytes), {});
      await named().drop(["old"]);
      time += 2 * HOUR_MS;
      const file = await fileOf(bytes);
      await Promise.all([named().sweep(), named().put("new", file, {}), named().sweep()]);
      expect((await readBlob("new"))?.equals(bytes)).toBe(true);
    }
  });

  test("are stored, read and dropped while all connections to the database break", async () => {
    const bytes = randomBytes(6_000_000);
    const file = await fileOf(bytes);
    let broken = 0;
    const breaking = (async () => {
      for (let n = 0; n < 5; n++) {
        await pause(30);
        broken += await breakConnections(url, schema);
      }
    })();
    await named().put("build/z/1", file, {});
    expect(digestOf((await readBlob("build/z/1")) ?? Buffer.alloc(0))).toBe(digestOf(bytes));
    await named().drop(["build/z/1"]);
    expect(await named().find("build/z/1")).toBeUndefined();
    await breaking;
    expect(broken).toBeGreaterThan(0);
  });

  test("that are damaged or elsewhere are refused", async () => {
    const blob = await named().put("build/y/1", await fileOf(randomBytes(100)), {});
    const other = { ...blob, sha256: digestOf(Buffer.from("other")) };
    const elsewhere = await named()
      .read(other, "It", async (parts) => void (await bytesOf(parts)))
      .catch(String);
    expect(elsewhere).toMatch(/It could not be found in the \w+/);
    const wrong: Blobs = { ...blobs, get: () => blobs.get(blob.sha256) };
    const damaged = await createNamedBlobs(db, wrong, now)
      .read(other, "It", async (parts) => void (await bytesOf(parts)))
      .catch(String);
    expect(damaged).toMatch(/It did not arrive whole from the \w+/);
  });
});

test("a folder of blobs keeps nothing of a file that could not be copied", async () => {
  const blobs = folderBlobs(join(folder, "failing"));
  await expect(blobs.put(digestOf(Buffer.from("x")), join(folder, "missing"))).rejects.toThrow("ENOENT");
  const left = await readdir(join(folder, "failing"), { recursive: true, withFileTypes: true });
  expect(left.filter((one) => one.isFile())).toEqual([]);
});

test.skipIf(s3 === undefined)("a bucket that does not exist is named", async () => {
  const file = await fileOf(Buffer.from("x"));
  await expect(inS3("no-bucket").put(digestOf(Buffer.from("x")), file)).rejects.toThrow(
    "s3://no-bucket does not exist",
  );
});
