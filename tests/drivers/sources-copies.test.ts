import { rmSync } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { tar } from "../support/archives.ts";
import { commit, type GitServer, makeRepository, serveGit } from "../support/git-server.ts";
import { filesIn, newSourceFetcher, type SourceFetcher, temporary } from "../support/sources.ts";

let repositories: string;
let server: GitServer;
let place: SourceFetcher;
beforeAll(async () => {
  repositories = temporary("looked-at");
  makeRepository(join(repositories, "bot"), { "apps/a.txt": "1" });
  server = await serveGit(repositories);
});
afterAll(async () => {
  await server.close();
  rmSync(repositories, { recursive: true, force: true });
});
beforeEach(() => {
  place = newSourceFetcher();
  server.requests.length = 0;
  server.before = undefined;
});
afterEach(async () => {
  vi.useRealTimers();
  await place.remove();
});

const bot = {
  type: "git" as const,
  get url() {
    return `${server.origin}/bot`;
  },
};
/** Counts the fetches, by the first request of each. */
const fetches = () => server.requests.filter((line) => line.includes("/info/refs")).length;
const upload = async () => {
  const bytes = tar([{ name: "a", body: "1" }]);
  const { upload_id } = await place.sources.uploads.receive(
    (async function* () {
      yield bytes;
    })(),
    new AbortController().signal,
  );
  return { type: "upload" as const, upload_id };
};

describe("a cached copy of a source", () => {
  test("is fetched once for all callers at the same time", async () => {
    const looks = await Promise.all([1, 2, 3].map(() => place.look({ ...bot, folder: "apps" })));
    expect(new Set(looks.map(({ folder }) => folder)).size).toBe(1);
    expect(looks[0]?.folder).toBe(join(looks[0]?.root ?? "", "apps"));
    expect(fetches()).toBe(1);
  });

  test("is fetched again after some seconds, so that it is current", async () => {
    const before = await place.look(bot);
    expect(await place.look(bot)).toEqual(before);
    expect(fetches()).toBe(1);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 6_000 });
    const sha = commit(join(repositories, "bot"), { "apps/a.txt": "2" }, "next");
    const after = await place.look(bot);
    expect(after.commit?.sha).toBe(sha);
    expect(await readFile(join(after.root, "apps/a.txt"), "utf8")).toBe("2");
    // The older copy may still be being read, so it stays.
    expect(await readFile(join(before.root, "apps/a.txt"), "utf8")).toBe("1");
  });

  test("rejects a cancelled caller with its own reason, while others go on", async () => {
    const cancel = new AbortController();
    const gate = Promise.withResolvers<void>();
    server.before = (_, response) => {
      void gate.promise.then(() => response.destroy());
      return true;
    };
    const mine = place.look(bot, { signal: cancel.signal });
    const others = place.look(bot);
    await vi.waitFor(() => expect(fetches()).toBe(1));
    cancel.abort(new Error("typed another letter"));
    await expect(mine).rejects.toThrow("typed another letter");
    gate.resolve();
    await expect(others).rejects.toMatchObject({ name: "StepFailure" });
    server.before = undefined;
    expect(await filesIn((await place.look(bot)).root)).toEqual(["apps/a.txt"]);
  });

  test("is given up when no caller waits for it, and fetched anew for the next caller", async () => {
    server.before = () => true;
    const cancel = new AbortController();
    const look = place.look(bot, { signal: cancel.signal });
    await vi.waitFor(() => expect(fetches()).toBe(1));
    cancel.abort(new Error("left"));
    await expect(look).rejects.toThrow("left");
    server.before = undefined;
    expect((await place.look(bot)).root).toBeTruthy();
    await vi.waitFor(async () => expect(await readdir(join(place.home, "looks"))).toHaveLength(1), 10_000);
    expect(await readdir(join(place.home, "work"))).toEqual([]);
  });

  test("of an upload stays, of a folder is the folder itself", async () => {
    const source = await upload();
    vi.useFakeTimers({ toFake: ["Date"] });
    const { root } = await place.look(source);
    vi.setSystemTime(Date.now() + 60_000);
    expect((await place.look(source)).root).toBe(root);
    const path = join(repositories, "bot");
    expect(await place.look({ type: "folder", path })).toMatchObject({
      folder: path,
      root: path,
      commit: { author: "Ada" },
    });
  });

  test("is kept for some minutes, up to a number of copies", async () => {
    await place.remove();
    place = newSourceFetcher({ copies: { keptMs: 200, most: 2 } });
    const looks = join(place.home, "looks");
    vi.useFakeTimers({ toFake: ["Date"] });
    const roots = [(await place.look(await upload())).root, (await place.look(await upload())).root];
    expect(roots).toHaveLength(2);
    await vi.waitFor(async () => expect(await readdir(looks)).toEqual([]), 10_000);
    await place.remove();
    place = newSourceFetcher({ copies: { most: 2 } });
    const [first, second, third] = [await upload(), await upload(), await upload()];
    const one = await place.look(first);
    const two = await place.look(second);
    await expect(place.look(third)).rejects.toMatchObject({ message: "The server already checks too many sources" });
    vi.setSystemTime(Date.now() + 31_000);
    // This copy was used last, so the other one is deleted.
    await place.look(first);
    await place.look(third);
    expect(await stat(one.root)).toBeTruthy();
    await expect(stat(two.root)).rejects.toThrow("ENOENT");
  });

  test("is deleted by the next process", async () => {
    await mkdir(join(place.home, "looks/old"), { recursive: true });
    await mkdir(join(place.home, "work/old"), { recursive: true });
    await writeFile(join(place.home, "work/old/deploy-key"), "secret");
    const { root } = await place.look(bot);
    expect(await readdir(join(place.home, "work"))).toEqual([]);
    await place.sources.sweep(new Set());
    expect(await readdir(join(place.home, "looks"))).toEqual([root.slice(root.lastIndexOf("/") + 1)]);
    expect(await readdir(join(place.home, "work"))).toEqual([]);
    expect(await readdir(join(place.home, "repositories"))).toHaveLength(1);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 8 * 24 * 3_600_000 });
    await place.sources.sweep(new Set());
    expect(await readdir(join(place.home, "repositories"))).toEqual([]);
  });
});
