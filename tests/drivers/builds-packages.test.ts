import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { linkPackages } from "../../lib/drivers/builds/links.ts";
import { oneAtATime } from "../../lib/drivers/builds/one-at-a-time.ts";
import { createPackageCache } from "../../lib/drivers/builds/package-cache.ts";
import { newFolder, removeFolders, writeFiles } from "../support/built-apps.ts";

afterAll(removeFolders);

const never = new AbortController().signal;
const nothing = () => Promise.resolve();

describe("one at a time", () => {
  test("never two of one name, whatever fails or is aborted, and all come to their turn", async () => {
    const call = fc.record({
      name: fc.constantFrom("a", "b"),
      fails: fc.boolean(),
      aborts: fc.boolean(),
      turns: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 12 }), async (calls) => {
        const alone = oneAtATime();
        const working = new Map<string, number>();
        const ends = calls.map(async ({ name, fails, aborts, turns }) => {
          const abort = new AbortController();
          const end = alone(name, abort.signal, async () => {
            working.set(name, (working.get(name) ?? 0) + 1);
            expect(working.get(name)).toBe(1);
            for (let turn = 0; turn < turns; turn++) await Promise.resolve();
            working.set(name, 0);
            if (fails) throw new Error("failed");
            return "done";
          });
          if (aborts) abort.abort("aborted");
          return await end.catch((error: unknown) => (error instanceof Error ? error.message : error));
        });
        for (const [index, end] of (await Promise.all(ends)).entries())
          expect(["done", "failed", "aborted"]).toContain(end === "aborted" && !calls[index]?.aborts ? "wrong" : end);
      }),
    );
  });
});

describe("the cache of packages", () => {
  const setUp = () => {
    const home = newFolder();
    const names = () => (existsSync(join(home, "packages")) ? readdirSync(join(home, "packages")) : []);
    const revision = (number: number) => {
      const folder = join(home, "deployments/bot/revisions", String(number));
      mkdirSync(folder, { recursive: true });
      return folder;
    };
    const fill = (folder: string) => Promise.resolve(writeFiles(folder, { "tree/file": "x".repeat(1_000_000) }));
    return { home, names, revision, fill, cache: createPackageCache(home) };
  };

  test("fills a folder once, for two that want it at once, and for later ones", async () => {
    const { cache, names, revision, fill } = setUp();
    let made = 0;
    const make = async (folder: string) => {
      made += 1;
      expect(names().filter((name) => !name.startsWith("."))).toEqual([]);
      await fill(folder);
    };
    const use = async (number: number) =>
      await cache.use("key", revision(number), never, make, async (folder) => readdirSync(join(folder, "tree")));
    const both = await Promise.all([use(1), use(2)]);
    expect(both.map(({ result }) => result)).toEqual([["file"], ["file"]]);
    expect(both.filter((one) => one.made)).toHaveLength(1);
    expect((await use(3)).made).toBe(false);
    expect({ made, names: names() }).toEqual({ made: 1, names: ["key"] });
  });

  test("keeps nothing of what failed, and the next one tries again", async () => {
    const { cache, names, revision, fill } = setUp();
    const broken = async (folder: string) => {
      await fill(folder);
      throw new Error("broken");
    };
    await expect(cache.use("key", revision(1), never, broken, nothing)).rejects.toThrow("broken");
    expect(names()).toEqual([]);
    expect((await cache.use("key", revision(1), never, fill, nothing)).made).toBe(true);
  });

  test("lets the second one fill it when the first is aborted", async () => {
    const { cache, revision, fill } = setUp();
    const abort = new AbortController();
    const hangs = () =>
      new Promise<void>((_, reject) => abort.signal.addEventListener("abort", () => reject(new Error("aborted"))));
    const first = cache.use("key", revision(1), abort.signal, hangs, nothing);
    const second = cache.use("key", revision(2), never, fill, nothing);
    abort.abort();
    await expect(first).rejects.toThrow("aborted");
    expect((await second).made).toBe(true);
  });

  test("lets go of whoever waits and is aborted", async () => {
    const { cache, revision, fill } = setUp();
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const first = cache.use("key", revision(1), never, async (folder) => (await goOn, fill(folder)), nothing);
    const abort = new AbortController();
    const second = cache.use("key", revision(2), abort.signal, fill, nothing);
    abort.abort("enough");
    await expect(second).rejects.toBe("enough");
    resolve();
    expect((await first).made).toBe(true);
  });

  describe("when it is swept", () => {
    const DAY = 24 * 3_600_000;
    /** Three sets: the first is the oldest. Only the second is linked to by a revision. */
    const threeSets = async () => {
      const set = setUp();
      for (const [index, key] of ["old", "linked", "new"].entries()) {
        await set.cache.use(key, key === "linked" ? set.revision(1) : newFolder(), never, set.fill, nothing);
        const used = new Date(Date.now() - (3 - index) * DAY);
        utimesSync(join(set.home, "packages", key, ".graphlib-size"), used, used);
      }
      return set;
    };

    test("what is old goes, unless a revision has it", async () => {
      const { cache, names } = await threeSets();
      expect(await cache.sweep({ olderThanMs: 1.5 * DAY, bytes: Infinity }, Date.now())).toEqual(["old"]);
      expect(names().toSorted()).toEqual(["linked", "new"]);
    });

    test("of what is too much the oldest goes, unless a revision has it", async () => {
      const { cache, names } = await threeSets();
      expect(await cache.sweep({ olderThanMs: Infinity, bytes: 2_500_000 }, Date.now())).toEqual(["old"]);
      expect(await cache.sweep({ olderThanMs: Infinity, bytes: 0 }, Date.now())).toEqual(["new"]);
      expect(names()).toEqual(["linked"]);
    });

    test("what a server that was killed has left half done goes, after an hour", async () => {
      const { cache, home } = await threeSets();
      writeFiles(home, { "packages/.new-1/tree/file": "", "tools/.new-2/file": "", "tools/pnpm@9/file": "" });
      const limits = { olderThanMs: Infinity, bytes: Infinity };
      await cache.sweep(limits, Date.now());
      expect(readdirSync(join(home, "tools")).toSorted()).toEqual([".new-2", "pnpm@9"]);
      await cache.sweep(limits, Date.now() + DAY);
      expect(readdirSync(join(home, "tools"))).toEqual(["pnpm@9"]);
      expect(readdirSync(join(home, "packages")).toSorted()).toEqual(["linked", "new", "old"]);
    });

    test("what a build is about to link stays", async () => {
      const { cache, fill, names } = await threeSets();
      const swept = await cache.use("old", newFolder(), never, fill, () =>
        cache.sweep({ olderThanMs: 0, bytes: 0 }, Date.now()),
      );
      expect(swept.result).toEqual(["new"]);
      expect(names().toSorted()).toEqual(["linked", "old"]);
    });
  });
});

describe("links", () => {
  const installed = () => {
    const tree = newFolder();
    writeFiles(tree, {
      "node_modules/a/index.js": "",
      "node_modules/@s/b/index.js": "",
      "node_modules/.bin/a": "",
      "node_modules/.package-lock.json": "{}",
      "node_modules/.pnpm/lock.yaml": "",
      "packages/shared/package.json": "{}",
      "packages/shared/node_modules/c/index.js": "",
    });
    symlinkSync("../../packages/shared", join(tree, "node_modules/@s/shared"));
    symlinkSync("../nowhere", join(tree, "node_modules/gone"));
    return tree;
  };

  test("lead to the packages, and to the source's own folders where those are linked", async () => {
    const tree = installed();
    const source = newFolder();
    writeFiles(source, { "packages/shared/index.ts": "", "node_modules/stale/index.js": "" });
    await linkPackages(tree, source);
    expect(readdirSync(join(source, "node_modules")).toSorted()).toEqual([".bin", "@s", "a"]);
    expect(realpathSync(join(source, "node_modules/a"))).toBe(join(tree, "node_modules/a"));
    expect(realpathSync(join(source, "node_modules/@s/b"))).toBe(join(tree, "node_modules/@s/b"));
    expect(realpathSync(join(source, "node_modules/@s/shared"))).toBe(join(source, "packages/shared"));
    expect(realpathSync(join(source, "packages/shared/node_modules/c"))).toBe(
      join(tree, "packages/shared/node_modules/c"),
    );
  });

  test("are the same when they are made again", async () => {
    const [tree, source] = [installed(), newFolder()];
    writeFiles(source, { "packages/shared/index.ts": "" });
    await linkPackages(tree, source);
    await linkPackages(tree, source);
    expect(lstatSync(join(source, "node_modules/a")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(tree, "node_modules/a/index.js"), "utf8")).toBe("");
  });

  test("are not made through a link of the source, and nothing behind it is removed", async () => {
    const [tree, source, elsewhere] = [installed(), newFolder(), newFolder()];
    writeFiles(elsewhere, { "shared/node_modules/mine": "kept" });
    symlinkSync(elsewhere, join(source, "packages"));
    await linkPackages(tree, source);
    expect(readFileSync(join(elsewhere, "shared/node_modules/mine"), "utf8")).toBe("kept");
    expect(readdirSync(join(elsewhere, "shared/node_modules"))).toEqual(["mine"]);
  });
});
