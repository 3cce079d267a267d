import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { useGitSources } from "../support/git-sources.ts";
import { commit, git, type GitServer, makeRepository, noise, serveGit } from "../support/git-server.ts";
import { env, filesIn, newSourceFetcher, temporary } from "../support/sources.ts";

let first: string;
let second: string;
const served = useGitSources((repositories) => {
  const bot = join(repositories, "bot");
  first = makeRepository(
    bot,
    { "graphlib.json": "{}", "apps/chat/a.ts": "1", "large.txt": noise(60_000) },
    "first\n\nmore",
  );
  git(bot, "tag", "v1");
  git(bot, "tag", "-a", "v1-signed", "-m", "a text of its own");
  commit(bot, {}, "between");
  second = commit(bot, { "apps/chat/a.ts": "2" }, "second: \u001B[31mred\u0007");
  git(bot, "branch", "feature/nice");
});
const { at, repositories } = served;
beforeEach(() => {
  served.server.before = undefined;
  served.fetcher.lines.length = 0;
});
const bot = (more: { ref?: string; folder?: string } = {}) => at("bot", more);

describe("a git source", () => {
  test("is fetched at its default branch, with its commit and without .git", async () => {
    const { folder, root, commit } = await served.fetcher.fetch(bot());
    expect(await filesIn(root)).toEqual(["apps/chat/a.ts", "graphlib.json", "large.txt"]);
    expect(folder).toBe(root);
    expect(await readFile(join(root, "apps/chat/a.ts"), "utf8")).toBe("2");
    expect(commit).toEqual({
      sha: second,
      message: "second:  [31mred",
      author: "Ada",
      committed_at: "2026-01-02T03:04:05.000Z",
    });
    expect(served.fetcher.lines[0]).toBe(`Fetching the default branch from 127.0.0.1:${served.server.port}/bot`);
    // Messages about refs of the cache are left out.
    expect(served.fetcher.lines.join("\n")).not.toMatch(/refs\/kept|^From |->/m);
    expect(served.fetcher.lines.join("\n")).toMatch(/objects: 100%/);
  });

  test.each([
    ["a branch", () => "feature/nice", () => second],
    ["a tag", () => "v1", () => first],
    ["an annotated tag", () => "v1-signed", () => first],
    ["a full name", () => "refs/tags/v1", () => first],
    ["a commit", () => first, () => first],
    ["an abbreviated commit at the tip of a branch", () => second.slice(0, 8), () => second],
    [
      "an abbreviated commit of the history",
      () => git(join(repositories, "bot"), "rev-parse", "--short=9", "HEAD~1"),
      () => git(join(repositories, "bot"), "rev-parse", "HEAD~1"),
    ],
  ])("is fetched by %s", async (_, ref, sha) => {
    // A new home has nothing from the fetches of other tests.
    const alone = newSourceFetcher();
    expect((await alone.fetch(bot({ ref: ref() }))).commit?.sha).toBe(sha());
    await alone.remove();
  });

  test("is fetched as a whole, with the requested folder in it", async () => {
    const { folder, root } = await served.fetcher.fetch(bot({ folder: "apps/chat" }));
    expect(folder).toBe(join(root, "apps/chat"));
    expect(await readdir(root)).toContain("graphlib.json");
  });

  test("transfers little when it is fetched again, and nothing for a known commit", async () => {
    makeRepository(join(repositories, "growing"), { "large.txt": noise(400_000), a: "1" });
    await served.fetcher.fetch(at("growing"));
    const next = commit(join(repositories, "growing"), { a: "2" }, "next");
    const before = served.server.sent;
    expect((await served.fetcher.fetch(at("growing"))).commit?.sha).toBe(next);
    expect(served.server.sent - before).toBeLessThan(20_000);
    served.server.requests.length = 0;
    expect((await served.fetcher.fetch(at("growing", { ref: next }))).commit?.sha).toBe(next);
    expect(served.server.requests).toEqual([]);
  });

  test("is fetched by many at the same time", async () => {
    const refs = ["main", "v1", "feature/nice", "main", "main"];
    const alone = newSourceFetcher();
    const fetched = await Promise.all(refs.map((ref) => alone.fetch(bot({ ref }))));
    expect(fetched.map(({ commit }) => commit?.sha)).toEqual([second, first, second, second, second]);
    await alone.remove();
  });

  test("is fetched anew when its cache was damaged, or left locked by a process that was killed", async () => {
    const alone = newSourceFetcher();
    await alone.fetch(bot());
    const [cache = ""] = await readdir(join(alone.home, "repositories"));
    const folder = join(alone.home, "repositories", cache);
    writeFileSync(join(folder, "shallow.lock"), "");
    expect((await alone.fetch(bot({ ref: "v1" }))).commit?.sha).toBe(first);
    for (const file of await readdir(join(folder, "objects/pack"))) {
      const path = join(folder, "objects/pack", file);
      chmodSync(path, 0o600);
      writeFileSync(path, "garbage");
    }
    expect((await alone.fetch(bot())).commit?.sha).toBe(second);
    await alone.remove();
  });

  test("that has moved is followed to its new address", async () => {
    served.server.before = ({ url = "" }, response) => {
      if (!url.startsWith("/old")) return false;
      response.writeHead(301, { location: url.replace("/old", "/bot") }).end();
      return true;
    };
    expect((await served.fetcher.fetch(at("old"))).commit?.sha).toBe(second);
    expect(served.fetcher.lines).toContain(
      `127.0.0.1:${served.server.port}/old has moved to 127.0.0.1:${served.server.port}/bot`,
    );
  });

  test("that moves in a circle is not followed forever", async () => {
    served.server.before = ({ url = "" }, response) => {
      response.writeHead(302, { location: url }).end();
      return true;
    };
    expect((await served.fetcher.failure(at("round"))).message).toContain(
      "has moved to an address that this server does not follow",
    );
    expect(served.server.requests.length).toBeLessThan(100);
  });
});

describe("a private repository", () => {
  const token = "s3cret-t0ken/+";
  let guarded: GitServer;
  const source = () => ({ type: "git" as const, url: `${guarded.origin}/bot` });
  beforeAll(async () => {
    guarded = await serveGit(repositories, { auth: `x-access-token:${token}` });
  });
  afterAll(() => guarded.close());

  test("is fetched with its token, which appears nowhere", async () => {
    const seen = join(temporary("spy"), "git");
    writeFileSync(seen, `#!/bin/sh\necho "$@" >>"${seen}.arguments"\nexec git "$@"\n`, { mode: 0o755 });
    const spied = newSourceFetcher({ env: { PATH: `${join(seen, "..")}:${env.PATH}` } });
    writeFileSync(seen, `#!/bin/sh\necho "$@" >>"${seen}.arguments"\nPATH=${env.PATH} exec git "$@"\n`, {
      mode: 0o755,
    });
    expect((await spied.fetch(source(), { credentials: { token } })).commit?.sha).toBe(second);
    const output = [readFileSync(`${seen}.arguments`, "utf8"), ...spied.lines].join("\n");
    expect(output).toContain("fetch");
    for (const secret of [token, Buffer.from(`x-access-token:${token}`).toString("base64")]) {
      expect(output).not.toContain(secret);
      for (const file of await filesIn(spied.home)) {
        expect(readFileSync(join(spied.home, file), "latin1")).not.toContain(secret);
      }
    }
    await spied.remove();
    rmSync(join(seen, ".."), { recursive: true });
  });

  test("says that it needs credentials, and when those given are not enough", async () => {
    expect(await served.fetcher.failure(source())).toEqual({
      message: `127.0.0.1:${guarded.port}/bot needs credentials, or does not exist`,
      fix: "Check the address. For a private repository, give a token that may read it",
    });
    expect(await served.fetcher.failure(source(), { token: "other" })).toEqual({
      message: `127.0.0.1 does not let this token read 127.0.0.1:${guarded.port}/bot`,
      fix: "Check that the token has not expired and may read this repository",
    });
    const key = { deploy_key: "-----BEGIN OPENSSH PRIVATE KEY-----" };
    expect((await served.fetcher.failure(source(), key)).message).toBe(
      "A deploy key is for ssh addresses, and this is a web address",
    );
  });

  test("is not found in the cache of a caller who may read it", async () => {
    await served.fetcher.fetch({ ...source(), ref: first }, { credentials: { token } });
    expect((await served.fetcher.failure({ ...source(), ref: first })).message).toContain("needs credentials");
  });

  test("does not send its token to the host where it has moved", async () => {
    const seen: (string | undefined)[] = [];
    const other = await serveGit(repositories);
    other.before = ({ headers }) => {
      seen.push(headers.authorization);
      return false;
    };
    guarded.before = ({ url = "" }, response) => {
      response.writeHead(302, { location: `${other.origin}${url}` }).end();
      return true;
    };
    expect((await served.fetcher.fetch(source(), { credentials: { token: "another" } })).commit?.sha).toBe(second);
    expect(new Set(seen)).toEqual(new Set([undefined]));
    guarded.before = undefined;
    await other.close();
  });
});
