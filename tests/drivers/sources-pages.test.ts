/** Git sources whose address is that of a page, and repositories of this machine. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GitSource } from "../../lib/protocol/sources.ts";
import { useGitSources } from "../support/git-sources.ts";
import { commit, git, makeRepository } from "../support/git-server.ts";
import { filesIn, newSourceFetcher, temporary } from "../support/sources.ts";

let first = "";
const served = useGitSources((repositories) => {
  const bot = join(repositories, "acme/bot");
  first = makeRepository(bot, { "apps/chat/graphlib.json": "{}", "nice/a.txt": "main" });
  git(bot, "checkout", "--quiet", "-b", "feature/nice");
  commit(bot, { "apps/chat/graphlib.json": "{ }" }, "nice");
  git(bot, "tag", "v1/2");
  git(bot, "checkout", "--quiet", "main");
});
const page = (path: string, more: object = {}) =>
  GitSource.parse({ type: "git", url: `${served.server.origin}/acme/bot/${path}`, ...more });
const own = () => `${served.server.origin}/acme/bot`;

describe("the address of a page", () => {
  test.each([
    ["a branch", "tree/main", { ref: "main" }, ""],
    ["a folder of a branch", "tree/main/apps/chat", { ref: "main", folder: "apps/chat" }, "apps/chat"],
    ["a file", "blob/main/apps/chat/graphlib.json", { ref: "main", folder: "apps/chat" }, "apps/chat"],
    ["a branch with a slash", "src/branch/feature/nice", { ref: "feature/nice" }, ""],
    [
      "a folder of such a branch",
      "-/tree/feature/nice/apps/chat",
      { ref: "feature/nice", folder: "apps/chat" },
      "apps/chat",
    ],
    ["a folder of such a tag", "src/tag/v1/2/apps", { ref: "v1/2", folder: "apps" }, "apps"],
  ])("of %s is fetched, and reported as what it stands for", async (_, path, expected, inside) => {
    const { folder, root, source } = await served.fetcher.fetch(page(path));
    expect(source).toEqual({ type: "git", url: own(), ...expected });
    expect(folder).toBe(join(root, inside));
  });

  test("of a commit is fetched", async () => {
    const { source, commit: found } = await served.fetcher.fetch(page(`tree/${first}/nice`));
    expect([source, found?.sha]).toEqual([{ type: "git", url: own(), ref: first, folder: "nice" }, first]);
  });

  test("lists the refs only if they decide where the folder begins", async () => {
    served.server.requests.length = 0;
    await served.fetcher.fetch(page("tree/main"));
    const direct = served.server.requests.length;
    served.server.requests.length = 0;
    await served.fetcher.fetch(page("tree/main/nice"));
    expect(served.server.requests.length).toBeGreaterThan(direct);
  });

  test("of a missing ref or folder says so", async () => {
    expect(await served.fetcher.failure(page("tree/nowhere/x"))).toMatchObject({
      message: expect.stringContaining("has no branch, tag or commit nowhere"),
    });
    expect(await served.fetcher.failure(page("tree/a:b"))).toEqual({
      message: "This page of a repository names no branch, tag or commit",
      fix: "Give the repository's own address, with the branch and the folder in their own fields",
    });
  });
});

describe("a repository of this machine", () => {
  const folder = temporary("bare");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const bare = join(folder, "a b#1.git");
  beforeAll(() => {
    git(served.repositories, "clone", "--quiet", "--bare", "acme/bot", bare);
  });
  const at = (url: string, more: object = {}) => GitSource.parse({ type: "git", url, ...more });

  test("is fetched by its path and by its address, bare or not", async () => {
    for (const url of [
      bare,
      new URL(`file://${encodeURI(bare).replace("#", "%23")}`).href,
      join(served.repositories, "acme/bot"),
    ]) {
      const { root, commit: found } = await served.fetcher.fetch(at(url, { ref: "main" }));
      expect([await filesIn(root), found?.sha]).toEqual([["apps/chat/graphlib.json", "nice/a.txt"], first]);
    }
    const { root } = await served.fetcher.fetch(at(bare, { ref: "feature/nice", folder: "apps" }));
    expect(await filesIn(root)).toContain("apps/chat/graphlib.json");
    expect(served.fetcher.lines.join("\n")).toContain(`Fetching main from ${encodeURI(folder)}/a%20b%231`);
  });

  test("is not fetched where local sources are not allowed", async () => {
    const place = newSourceFetcher({ allowLocal: false });
    expect(await place.failure(at(bare))).toMatchObject({ message: "Sources are not fetched over file here" });
    await place.remove();
  });

  test("that is missing, or has credentials, is refused", async () => {
    expect(await served.fetcher.failure(at(join(folder, "none.git")))).toMatchObject({
      message: expect.stringContaining("There is no git repository at"),
    });
    expect(await served.fetcher.failure(at(bare), { token: "t" })).toMatchObject({
      message: "A repository on this machine is read without credentials",
    });
  });

  test("that is bare can't be deployed as a folder, and the failure says how to deploy it", async () => {
    expect(await served.fetcher.failure({ type: "folder", path: bare })).toEqual({
      message: "This is a bare repository, which has no files of its own",
      fix: `Deploy it as a git repository: file://${bare}`,
    });
  });
});
