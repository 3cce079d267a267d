import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PlatformStores } from "../../lib/drivers/sql/platform/stores.ts";
import { openStores, type PlatformDatabaseUnderTest } from "./platform.suite.ts";

/** Tests that logs of builds and deployments must pass, on any database. */
export function lineSuite(name: string, open: () => Promise<PlatformDatabaseUnderTest>): void {
  describe(`logs in ${name}`, () => {
    let database: PlatformDatabaseUnderTest;
    let stores: PlatformStores;
    beforeEach(async () => {
      database = await open();
      stores = openStores(database);
    });
    afterEach(() => database.close());

    test("lines are numbered in the order of the calls, also by a later process", async () => {
      const { lines } = stores;
      const texts = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, n) => `line ${from + n}\u001B[31m é`);
      for (const text of texts(0, 50)) lines.append("x", [{ stream: "out", text, step: "cloning" }]);
      await lines.flush();
      const later = openStores(database).lines;
      later.append(
        "x",
        texts(50, 60).map((text) => ({ stream: "err" as const, text })),
      );
      later.append("y", [{ stream: "us", text: "another log" }]);
      await later.flush();
      const all = await lines.read("x", -1, 1_000);
      expect(all.map((line) => line.id)).toEqual(Array.from({ length: 60 }, (_, n) => n));
      expect(all.map((line) => line.text)).toEqual(texts(0, 60));
      expect(all[0]).toMatchObject({ stream: "out", step: "cloning" });
      expect((await lines.read("x", 41, 5)).map((line) => line.id)).toEqual([42, 43, 44, 45, 46]);
      expect((await lines.tail("x", 3)).map((line) => line.id)).toEqual([57, 58, 59]);
      expect(await lines.read("x", 59, 5)).toEqual([]);
      await lines.delete("x");
      expect(await lines.read("x", -1, 5)).toEqual([]);
      expect(await lines.read("y", -1, 5)).toHaveLength(1);
    });

    test("lines of two servers are numbered without a gap, each server's in the order of its calls", async () => {
      const servers = [stores.lines, openStores(database).lines];
      for (let n = 0; n < 20; n++) {
        for (const [server, lines] of servers.entries()) lines.append("x", [{ stream: "out", text: `${server} ${n}` }]);
        await (n % 3 === 0 ? Promise.all(servers.map((lines) => lines.flush())) : servers[n % 2]?.flush());
      }
      await Promise.all(servers.map((lines) => lines.flush()));
      const all = await stores.lines.read("x", -1, 1_000);
      expect(all.map((line) => line.id)).toEqual(Array.from({ length: 40 }, (_, n) => n));
      for (const server of ["0", "1"])
        expect(all.map((line) => line.text.split(" ")).filter(([from]) => from === server)).toEqual(
          Array.from({ length: 20 }, (_, n) => [server, String(n)]),
        );
    });

    test("a log that grows too large loses its oldest lines, and numbering continues", async () => {
      const bytes = 20_000;
      const text = "é".repeat(100);
      let { lines } = stores;
      for (let n = 0; n < 300; n++) {
        // A restarted server reads the size of the log from the database.
        if (n === 150) ({ lines } = openStores(database));
        lines.append("x", [{ stream: "out", text }], bytes);
        lines.append("y", [{ stream: "out", text }]);
        await lines.flush();
        if (n % 50 === 49) expect(JSON.stringify(await lines.read("x", -1, 1_000)).length).toBeLessThan(bytes);
      }
      const kept = (await lines.read("x", -1, 1_000)).map((line) => line.id);
      expect(kept.length).toBeGreaterThan(30);
      expect(kept).toEqual(Array.from({ length: kept.length }, (_, at) => 300 - kept.length + at));
      expect(await lines.read("y", -1, 1_000)).toHaveLength(300);
    });

    test("old and excess lines are swept, and numbering continues", async () => {
      const { lines } = stores;
      const appendLines = async (log: string, count: number): Promise<void> => {
        for (let n = 0; n < count; n++) {
          lines.append(log, [{ stream: "out", text: "said" }]);
          await lines.flush();
        }
      };
      const ids = async (log: string): Promise<number[]> => (await lines.read(log, -1, 100)).map((line) => line.id);
      await appendLines("long", 10);
      await appendLines("short", 2);
      await lines.sweep({ writtenBefore: 0, most: 3 });
      expect([await ids("long"), await ids("short")]).toEqual([
        [6, 7, 8, 9],
        [0, 1],
      ]);
      await lines.sweep({ writtenBefore: Date.now() + 1000, most: 100 });
      expect([await ids("long"), await ids("short")]).toEqual([[9], [1]]);
      await appendLines("long", 1);
      expect(await ids("long")).toEqual([9, 10]);
    });

    test("a follower gets every line once, in order, while lines are written", async () => {
      const { lines } = stores;
      const seen: number[] = [];
      const end = new AbortController();
      const follow = (async () => {
        while (!end.signal.aborted) {
          for (const line of await lines.read("x", seen.at(-1) ?? -1, 7)) seen.push(line.id);
          if (seen.length === 200) break;
          await lines.changed("x", seen.at(-1) ?? -1, end.signal);
        }
      })();
      for (let n = 0; n < 200; n++) {
        lines.append("x", [{ stream: "out", text: String(n) }]);
        if (n % 20 === 0) await sleep(1);
      }
      await follow;
      expect(seen).toEqual(Array.from({ length: 200 }, (_, n) => n));
      const nothing = lines.changed("x", 199, end.signal);
      end.abort();
      await nothing;
    });
  });
}
