import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Git } from "../../lib/drivers/sources/git-command.ts";
import { refNames } from "../../lib/drivers/sources/git-refs.ts";
import { SOURCE_LIMITS } from "../../lib/drivers/sources/limits.ts";
import { parseGitAddress } from "../../lib/rules/sources/git-address.ts";
import { useGitSources } from "../support/git-sources.ts";
import { commit, git, makeRepository, noise } from "../support/git-server.ts";
import { newSourceFetcher, type SourceFetcher, temporary } from "../support/sources.ts";

const served = useGitSources((repositories) => {
  const bot = join(repositories, "bot");
  makeRepository(bot, { "graphlib.json": "{}", "apps/chat/a.ts": "1" });
  git(bot, "tag", "v1");
  git(bot, "branch", "feature/nice");
});
const { at, repositories } = served;
beforeEach(() => {
  served.server.before = undefined;
  served.fetcher.lines.length = 0;
});
const bot = (more: { ref?: string; folder?: string } = {}) => at("bot", more);

describe("a fetch that fails says why", () => {
  const failure = (source: Parameters<SourceFetcher["failure"]>[0]) => served.fetcher.failure(source);

  test("when the ref is missing, and names similar ones", async () => {
    expect(await failure(bot({ ref: "feature/nise" }))).toEqual({
      message: `127.0.0.1:${served.server.port}/bot has no branch, tag or commit feature/nise`,
      fix: "Did you mean feature/nice?",
    });
    expect((await failure(bot({ ref: "origin/main" }))).fix).toBe("Did you mean main?");
    expect((await failure(bot({ ref: "0123456" }))).message).toContain("no branch, tag or commit 0123456");
    expect((await failure(bot({ ref: "0".repeat(39) + "1" }))).message).toContain("no branch, tag or commit 000");
    expect((await failure(bot({ ref: "something-else-altogether" }))).fix).toMatch(/^It has /);
  });

  test("when the ref is a tag of a folder, not of a commit", async () => {
    git(join(repositories, "bot"), "tag", "folder", "HEAD^{tree}");
    expect(await failure(bot({ ref: "folder" }))).toEqual({
      message: `folder of 127.0.0.1:${served.server.port}/bot is not a commit`,
      fix: "Name a branch, a commit, or a tag that points to a commit",
    });
    git(join(repositories, "bot"), "tag", "--delete", "folder");
  });

  test("when there are too many branches and tags", async () => {
    const address = parseGitAddress("https://host.example/bot");
    if (!address) throw new Error("not an address");
    const lists: Git = (_, call) => {
      for (let length = 0; length <= 64; length++) call?.output?.("x".repeat(1024 * 1024));
      return Promise.resolve({ code: 0, messages: "" });
    };
    const options = { git: lists, local: lists, repository: "", work: "", address, limits: SOURCE_LIMITS };
    await expect(refNames(options)).rejects.toMatchObject({
      message: "host.example/bot has too many branches and tags",
      details: { fix: "Delete branches and tags that are not needed, or give the whole commit id" },
    });
  });

  test("when the folder is missing, or is a file", async () => {
    expect(await failure(bot({ folder: "apps/chatt" }))).toEqual({
      message: "The source has no folder apps/chatt",
      fix: "Did you mean apps/chat or apps?",
    });
    expect((await failure(bot({ folder: "zzzzzzzz" }))).fix).toBe("It has apps");
    expect((await failure(bot({ folder: "graphlib.json" }))).message).toBe("graphlib.json is a file, not a folder");
  });

  test("when the repository is empty", async () => {
    mkdirSync(join(repositories, "empty"));
    git(join(repositories, "empty"), "init", "--quiet");
    const expected = { message: `127.0.0.1:${served.server.port}/empty is empty`, fix: "Push a commit to it first" };
    expect(await failure(at("empty"))).toEqual(expected);
    expect((await failure(at("empty", { ref: "main" }))).fix).toBe("Push a commit to it first");
  });

  test("when there is no repository, with and without something else in its place", async () => {
    expect(await failure(at("nothing"))).toEqual({
      message: `There is no repository 127.0.0.1:${served.server.port}/nothing that everybody may read: it needs credentials, or does not exist`,
      fix: "Check the address. For a private repository, give a token that may read it",
    });
    served.server.before = (_, response) => {
      response
        .writeHead(200, { "content-type": "text/html" })
        .end("<!doctype html>\n<html>\n<p>Welcome</p>\n</html>\n");
      return true;
    };
    expect(await failure(at("page"))).toEqual({
      message: `There is no git repository at 127.0.0.1:${served.server.port}/page`,
      fix: "Use the address that the host shows for cloning",
    });
  });

  test.each([
    [500, "failed with status 500"],
    [503, "failed with status 503"],
    [429, "was called too often"],
    [403, "needs credentials, or does not exist"],
  ])("when the host answers %i", async (status, words) => {
    served.server.before = (_, response) => {
      response.writeHead(status).end();
      return true;
    };
    expect((await failure(bot())).message).toContain(words);
  });

  test("when the connection ends in the middle", async () => {
    makeRepository(join(repositories, "cut"), { "large.txt": noise(400_000) });
    let requests = 0;
    served.server.before = ({ method }, response) => {
      if (method !== "POST" || ++requests < 2) return false;
      response.writeHead(200, { "content-type": "application/x-git-upload-pack-result" });
      response.write("0011shallow-info\n");
      setTimeout(() => response.destroy(), 50);
      return true;
    };
    expect((await failure(at("cut"))).message).toContain("ended early");
  });

  test("when the host is unknown, or does not respond", async () => {
    const none = await failure({ type: "git", url: "http://no-such-host.invalid/a" });
    expect(none.message).toBe("There is no host called no-such-host.invalid");
    expect((await failure({ type: "git", url: "http://127.0.0.1:1/a" })).message).toBe("127.0.0.1 can't be reached");
  });

  test("when it takes too long", async () => {
    served.server.before = () => true;
    const late = served.fetcher.fetch(bot({ ref: "v1" }), { signal: AbortSignal.timeout(500) });
    await expect(late).rejects.toMatchObject({
      name: "StepFailure",
      message: `Fetching 127.0.0.1:${served.server.port}/bot took too long`,
    });
  });

  test("when it was cancelled: with the reason, and nothing is left", async () => {
    served.server.before = () => true;
    const cancel = new AbortController();
    const into = join(served.fetcher.home, "cancelled");
    const fetching = served.fetcher.fetch(bot({ ref: "v1" }), { signal: cancel.signal, into });
    await vi.waitFor(() => expect(served.fetcher.lines.length).toBeGreaterThan(0));
    cancel.abort(new Error("cancelled by you"));
    await expect(fetching).rejects.toThrow("cancelled by you");
    await expect(stat(into)).rejects.toThrow("ENOENT");
    expect(await readdir(join(served.fetcher.home, "work"))).toEqual([]);
  });

  test("when git is too old to be restricted", async () => {
    const programs = temporary("old-git");
    const sources: [version: string, place: SourceFetcher][] = [
      ["2.31.9", newSourceFetcher({ env: { PATH: programs } })],
      [
        "2.36.0",
        newSourceFetcher({ env: { PATH: programs }, allowLocal: false, resolve: () => Promise.resolve(["8.8.8.8"]) }),
      ],
    ];
    for (const [version, old] of sources) {
      writeFileSync(join(programs, "git"), `#!/bin/sh\necho git version ${version}\n`, { mode: 0o755 });
      expect(await old.failure({ type: "git", url: "https://host.example/a" })).toEqual({
        message: `Git is too old here: git version ${version}`,
        fix: `Install git ${version === "2.31.9" ? "2.32" : "2.37"} or newer on this server`,
      });
      await old.remove();
    }
    rmSync(programs, { recursive: true });
  });

  test("when git is not installed", async () => {
    const without = newSourceFetcher({ env: { PATH: "/nowhere" } });
    expect((await without.failure(bot())).message).toBe("There is no program called git on this server");
    await without.remove();
  });

  test("when a limit is exceeded: files, transferred bytes, bytes on the disk", async () => {
    const garbage = join(repositories, "garbage");
    makeRepository(garbage, Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${n}`, `${n}`])));
    git(garbage, "branch", "many");
    commit(garbage, { noise: noise(6_000_000) }, "noise");
    git(garbage, "branch", "noise");
    commit(garbage, { noise: "", zeros: "0".repeat(3_000_000) }, "zeros");
    const few = newSourceFetcher({ limits: { bytes: 2 * 1024 * 1024, entries: 50 } });
    const small = newSourceFetcher({ limits: { bytes: 2 * 1024 * 1024, entries: 1_000 } });
    expect((await few.failure(at("garbage", { ref: "many" }))).message).toMatch(/holds more than 50 files$/);
    expect(await small.failure(at("garbage", { ref: "noise" }))).toEqual({
      message: `127.0.0.1:${served.server.port}/garbage is larger than this server accepts`,
      fix: "Keep large files out of the repository, such as models, data and built packages",
    });
    expect((await small.failure(at("garbage"))).message).toMatch(/garbage holds more than 2 MB$/);
    await Promise.all([few.remove(), small.remove()]);
  });
});
