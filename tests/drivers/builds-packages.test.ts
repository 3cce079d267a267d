import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { linkPackages, removeLinks } from "../../lib/drivers/builds/links.ts";
import { createKeyedLock } from "../../lib/drivers/keyed-lock.ts";
import { createPackageCache } from "../../lib/drivers/builds/package-cache.ts";
import { newFolder, removeFolders, writeFiles } from "../support/built-apps.ts";

afterAll(removeFolders);

const never = new AbortController().signal;
const nothing = () => Promise.resolve();

describe("a keyed lock", () => {
  test("runs one call per name at a time, also after failures and aborts, and every call gets its turn", async () => {
    const call = fc.record({
      name: fc.constantFrom("a", "b"),
      fails: fc.boolean(),
      aborts: fc.boolean(),
      turns: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 12 }), async (calls) => {
        const alone = createKeyedLock();
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

  test("fills a folder once, for two calls at the same time and for later ones", async () => {
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

  test("keeps nothing of a failure, and the next call tries again", async () => {
    const { cache, names, revision, fill } = setUp();
    const broken = async (folder: string) => {
      await fill(folder);
      throw new Error("broken");
    };
    await expect(cache.use("key", revision(1), never, broken, nothing)).rejects.toThrow("broken");
    expect(names()).toEqual([]);
    expect((await cache.use("key", revision(1), never, fill, nothing)).made).toBe(true);
  });

  test("lets the second call fill it when the first is aborted", async () => {
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

  test("rejects a waiting call that is aborted", async () => {
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
    /** Fills three sets of packages. The first is the oldest; a revision links to the second alone. */
    const threeSets = async () => {
      const set = setUp();
      for (const [index, key] of ["old", "linked", "new"].entries()) {
        await set.cache.use(key, key === "linked" ? set.revision(1) : newFolder(), never, set.fill, nothing);
        const used = new Date(Date.now() - (3 - index) * DAY);
        utimesSync(join(set.home, "packages", key, ".graphlib-size"), used, used);
      }
      return set;
    };

    test("old packages are deleted, unless a revision links to them", async () => {
      const { cache, names } = await threeSets();
      expect(await cache.sweep({ olderThanMs: 1.5 * DAY, bytes: Infinity }, Date.now())).toEqual(["old"]);
      expect(names().toSorted()).toEqual(["linked", "new"]);
    });

    test("beyond the size limit the oldest packages are deleted, unless a revision links to them", async () => {
      const { cache, names } = await threeSets();
      expect(await cache.sweep({ olderThanMs: Infinity, bytes: 2_500_000 }, Date.now())).toEqual(["old"]);
      expect(await cache.sweep({ olderThanMs: Infinity, bytes: 0 }, Date.now())).toEqual(["new"]);
      expect(names()).toEqual(["linked"]);
    });

    test("unfinished folders of a killed server are deleted after an hour", async () => {
      const { cache, home } = await threeSets();
      writeFiles(home, { "packages/.new-1/tree/file": "", "tools/.new-2/file": "", "tools/pnpm@9/file": "" });
      const limits = { olderThanMs: Infinity, bytes: Infinity };
      await cache.sweep(limits, Date.now());
      expect(readdirSync(join(home, "tools")).toSorted()).toEqual([".new-2", "pnpm@9"]);
      await cache.sweep(limits, Date.now() + DAY);
      expect(readdirSync(join(home, "tools"))).toEqual(["pnpm@9"]);
      expect(readdirSync(join(home, "packages")).toSorted()).toEqual(["linked", "new", "old"]);
    });

    test("packages that a build is about to link stay", async () => {
      const { cache, fill, names } = await threeSets();
      const swept = await cache.use("old", newFolder(), never, fill, () =>
        cache.sweep({ olderThanMs: 0, bytes: 0 }, Date.now()),
      );
      expect(swept.result).toEqual(["new"]);
      expect(names().toSorted()).toEqual(["linked", "old"]);
    });
  });
});

describe("packages in a source", () => {
  const lines: string[] = [];
  const installed = async () => {
    lines.length = 0;
    const folder = newFolder();
    writeFiles(folder, {
      outside: "secret",
      "tree/node_modules/a/index.js": "a",
      "tree/node_modules/a/cli.js": "#!/bin/sh\necho ran $1\n",
      "tree/node_modules/@s/b/index.js": "",
      "tree/node_modules/.package-lock.json": "{}",
      "tree/node_modules/.pnpm/lock.yaml": "",
      "tree/packages/shared/package.json": "{}",
      "tree/packages/shared/node_modules/c/index.js": "",
    });
    const tree = join(folder, "tree");
    chmodSync(join(tree, "node_modules/a/cli.js"), 0o755);
    mkdirSync(join(tree, "node_modules/.bin"));
    for (const [path, to] of Object.entries({
      "node_modules/.bin/a": "../a/cli.js",
      "node_modules/@s/shared": "../../packages/shared",
      "node_modules/gone": "../nowhere",
      "node_modules/out": "../../outside",
      "node_modules/up": "../..",
      "node_modules/a/self": "..",
      "node_modules/a/same.js": "./index.js",
      "node_modules/alias": "a",
    })) {
      symlinkSync(to, join(tree, path));
    }
    await removeLinks(folder, ({ text }) => void lines.push(text));
    return folder;
  };
  const linksIn = (root: string): string[] =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .toSorted();

  test("hold no links after the install: a link to a file became the file", async () => {
    const folder = await installed();
    expect(linksIn(folder)).toEqual([]);
    const modules = join(folder, "tree/node_modules");
    expect(readdirSync(modules).toSorted()).toEqual([".bin", ".package-lock.json", ".pnpm", "@s", "a"]);
    expect(readFileSync(join(modules, "a/same.js"), "utf8")).toBe("a");
    expect(lines).toEqual([
      expect.stringMatching(/^Links between packages are left out: (?=.*node_modules\/a\/self)(?=.*node_modules\/out)/),
    ]);
    expect(execFileSync(join(modules, ".bin/a"), ["well"], { encoding: "utf8" })).toBe("ran well\n");
  });

  test("are folders of hard links; packages of the source itself are folders of links to each file", async () => {
    const folder = await installed();
    const source = newFolder();
    writeFiles(source, {
      "packages/shared/src/index.ts": "",
      "packages/shared/node_modules/stale/index.js": "",
      "node_modules/stale/index.js": "",
    });
    await linkPackages(folder, source);
    expect(readdirSync(join(source, "node_modules")).toSorted()).toEqual([".bin", "@s", "a"]);
    const inode = (path: string) => statSync(path).ino;
    expect(inode(join(source, "node_modules/a/index.js"))).toBe(inode(join(folder, "tree/node_modules/a/index.js")));
    expect(realpathSync(join(source, "node_modules/@s/b"))).toBe(join(source, "node_modules/@s/b"));
    expect(linksIn(source)).toEqual(["node_modules/@s/shared/src/index.ts"]);
    const own = join(source, "packages/shared/src/index.ts");
    expect(realpathSync(join(source, "node_modules/@s/shared/src/index.ts"))).toBe(own);
    expect(readdirSync(join(source, "packages/shared/node_modules"))).toEqual(["c"]);
  });

  test("are the same when they are linked again", async () => {
    const [folder, source] = [await installed(), newFolder()];
    writeFiles(source, { "packages/shared/index.ts": "" });
    await linkPackages(folder, source);
    const before = readdirSync(source, { recursive: true }).toSorted();
    await linkPackages(folder, source);
    expect(readdirSync(source, { recursive: true }).toSorted()).toEqual(before);
  });

  test("are not linked through a link of the source, and nothing behind it is removed", async () => {
    const [folder, source, elsewhere] = [await installed(), newFolder(), newFolder()];
    writeFiles(elsewhere, { "shared/node_modules/mine": "kept" });
    symlinkSync(elsewhere, join(source, "packages"));
    await linkPackages(folder, source);
    expect(readFileSync(join(elsewhere, "shared/node_modules/mine"), "utf8")).toBe("kept");
    expect(readdirSync(join(elsewhere, "shared/node_modules"))).toEqual(["mine"]);
  });
});
