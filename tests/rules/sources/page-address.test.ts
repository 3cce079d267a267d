import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GitSource } from "../../../lib/protocol/sources.ts";
import { nameFrom } from "../../../lib/rules/revisions/deployment-name.ts";
import { readPageAddress } from "../../../lib/rules/sources/page-address.ts";
import { needsRefs, settledSource } from "../../../lib/rules/sources/settled-source.ts";
import { isSameSource, keptSource } from "../../../lib/rules/sources/same-source.ts";

const git = (url: string, more: object = {}): GitSource => GitSource.parse({ type: "git", url, ...more });

describe("the address of a web page", () => {
  test.each<[string, string, { url: string; ref: string; folder?: string }]>([
    ["GitHub", "https://github.com/acme/bot/tree/main", { url: "https://github.com/acme/bot", ref: "main" }],
    [
      "a folder on GitHub",
      "https://github.com/acme/bot/tree/main/apps/agents?tab=readme#top",
      { url: "https://github.com/acme/bot", ref: "main", folder: "apps/agents" },
    ],
    [
      "a file on GitHub",
      "https://github.com/acme/bot/blob/v1.2/apps/agents/langgraph.json",
      { url: "https://github.com/acme/bot", ref: "v1.2", folder: "apps/agents" },
    ],
    [
      "GitLab",
      "https://gitlab.com/acme/team/bot/-/tree/main/apps/a%20b?ref_type=heads",
      { url: "https://gitlab.com/acme/team/bot", ref: "main", folder: "apps/a b" },
    ],
    [
      "Bitbucket",
      "https://bitbucket.org/acme/bot/src/feature%2Fx/apps/",
      { url: "https://bitbucket.org/acme/bot", ref: "feature", folder: "x/apps" },
    ],
    [
      "Gitea",
      "http://git.acme.test:3000/acme/bot/src/branch/main/apps/graphlib.json",
      { url: "http://git.acme.test:3000/acme/bot", ref: "main", folder: "apps" },
    ],
    ["Forgejo", "https://codeberg.org/acme/bot/src/tag/v1", { url: "https://codeberg.org/acme/bot", ref: "v1" }],
  ])("of %s is read as repository, ref and folder", (_, url, expected) => {
    expect(settledSource(git(url))).toEqual({ type: "git", ...expected });
  });

  test.each([
    "https://github.com/acme/bot",
    "https://github.com/acme/tree",
    "https://github.com/acme/bot/tree",
    "https://github.com/acme/bot/issues/1",
    "https://gitlab.com/acme/team/bot.git",
    "https://gitlab.com/group/sub/tree/bot.git",
    "https://git.acme.test/acme/sub/src/bot",
    "https://user@github.com/acme/bot/tree/main",
    "git@github.com:acme/bot/tree/main",
    "file:///srv/acme/bot/tree/main",
    "https://github.com/acme/bot/tree/main/%2E%2E%2Fx/a%2F..%2Fb",
  ])("is not %s", (url) => {
    expect(readPageAddress(url)).toBeUndefined();
  });

  test("with a ref of several parts is read with the existing refs, the longest one", () => {
    const page = git("https://github.com/acme/bot/tree/feature/nice/apps");
    expect(settledSource(page, new Set(["feature/nice", "main"]))).toMatchObject({
      ref: "feature/nice",
      folder: "apps",
    });
    expect(settledSource(page, new Set(["feature/nice", "feature/nice/apps"]))).toMatchObject({
      ref: "feature/nice/apps",
      folder: undefined,
    });
    expect(settledSource(page, new Set(["main"]))).toMatchObject({ ref: "feature", folder: "nice/apps" });
    expect(settledSource({ ...page, ref: "feature/nice" })).toMatchObject({ ref: "feature/nice", folder: "apps" });
    expect(settledSource({ ...page, ref: "main", folder: "b" })).toMatchObject({ ref: "main", folder: "b" });
  });

  test("names the deployment, and is the same source as its repository", () => {
    const page = git("https://github.com/acme/bot/tree/main/apps/agents");
    expect([nameFrom(page), nameFrom(git("https://github.com/acme/bot/tree/main"))]).toEqual(["agents", "bot"]);
    const before = git("https://github.com/acme/bot.git", { ref: "old", folder: "lib" });
    expect(isSameSource(before, page)).toBe(true);
    expect(keptSource(before, page)).toEqual(page);
  });

  const name = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,8}$/);
  const pathOf = (most: number) => fc.array(name, { minLength: 1, maxLength: most });
  const hosts: ((repository: string, path: string) => string)[] = [
    (repository, path) => `https://github.com/${repository}/tree/${path}`,
    (repository, path) => `https://gitlab.com/${repository}/-/tree/${path}?ref_type=heads`,
    (repository, path) => `https://bitbucket.org/${repository}/src/${path}/`,
    (repository, path) => `https://codeberg.org/${repository}/src/branch/${path}`,
  ];

  test("gives the ref and folder that it was made of, where the ref exists", () => {
    const made = fc.record({ owner: name, repo: name, ref: pathOf(3), folder: fc.array(name, { maxLength: 3 }) });
    fc.assert(
      fc.property(made, fc.constantFrom(...hosts), ({ owner, repo, ref, folder }, of) => {
        const parts = [...ref, ...folder];
        const url = of(`${owner}/${repo}`, parts.map(encodeURIComponent).join("/"));
        const source = git(url);
        expect(needsRefs(source)).toBe(parts.length > 1);
        const host = new URL(url).host;
        expect(settledSource(source, new Set([ref.join("/"), "other"]))).toEqual({
          type: "git",
          url: `https://${host}/${owner}/${repo}`,
          ref: ref.join("/"),
          folder: folder.length > 0 ? folder.join("/") : undefined,
        });
      }),
    );
  });

  test("is read or not for any text, and gives a valid source", () => {
    const text = fc.oneof(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc
        .array(fc.oneof(fc.constantFrom("tree", "-", "src", "branch", "..", "%2e", "~", "a:b", "x.lock"), fc.string()))
        .map((parts) => `https://github.com/a/b/${parts.join("/")}`),
    );
    fc.assert(
      fc.property(text, fc.array(fc.string()), (url, refs) => {
        const parsed = GitSource.safeParse({ type: "git", url });
        if (!parsed.success) return;
        const settled = settledSource(parsed.data, new Set(refs));
        expect(GitSource.parse(settled)).toEqual(settled);
      }),
    );
  });
});

describe("a path of this machine", () => {
  test("is read as the address of a repository there", () => {
    expect(git("/srv/git/a b#1%.git").url).toBe("file:///srv/git/a%20b%231%25.git");
    expect(git("file:///srv/git/x.git").url).toBe("file:///srv/git/x.git");
    expect(nameFrom(git("/srv/git/x.git"))).toBe("x");
  });

  test.each(["file://host/srv/x.git", "file:///", "//srv/x", "file:x"])("is not %s", (url) => {
    expect(GitSource.safeParse({ type: "git", url }).success).toBe(false);
  });
});
