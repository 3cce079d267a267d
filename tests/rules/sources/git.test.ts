import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GitUrl } from "../../../lib/protocol/sources.ts";
import { movedTo, parseGitAddress } from "../../../lib/rules/sources/git-address.ts";
import { gitProblem, isMissingRef } from "../../../lib/rules/sources/git-failure.ts";
import { createTreeReader, isSha, isShortSha, parseRemoteRefs } from "../../../lib/rules/sources/git-tree.ts";
import { nearNames } from "../../../lib/rules/text/near-name.ts";

describe("the address of a repository", () => {
  const hosts = fc.constantFrom(
    "github.com",
    "127.0.0.1",
    "[::1]",
    "2130706433",
    "0x7f.1",
    "EXAMPLE.com",
    "ex%61mple.com",
  );
  const paths = fc.stringMatching(/^[\w./~-]{1,20}$/);

  test("has the host that git reads in it", () => {
    fc.assert(
      fc.property(fc.constantFrom("https", "http", "ssh"), hosts, paths, (protocol, host, path) => {
        const address = parseGitAddress(`${protocol}://${host}/${path}`);
        if (!address) return;
        expect(address.url).not.toMatch(/[@\s\\]/);
        const read = new URL(address.url).hostname.replace(/^\[|\]$/g, "").toLowerCase();
        expect(address.host).toBe(read);
      }),
    );
    expect(parseGitAddress("https://2130706433/a")).toMatchObject({ host: "127.0.0.1", url: "https://127.0.0.1/a" });
    expect(parseGitAddress("https://user@github.com/a")).toBeUndefined();
  });

  test("is shown in its short form", () => {
    const shown = (url: string) => parseGitAddress(url)?.shown;
    expect(shown("https://github.com/acme/bot.git")).toBe("github.com/acme/bot");
    expect(shown("git@github.com:acme/bot.git")).toBe("github.com/acme/bot");
    expect(shown("ssh://git@host.example:2222/acme/bot/")).toBe("host.example:2222/acme/bot");
  });

  test("is valid by the schema and here in each usual form, and any text is valid or not", () => {
    const forms = fc.constantFrom("https://HOST/PATH", "ssh://git@HOST/PATH", "ssh://HOST:2222/PATH", "git@HOST:PATH");
    fc.assert(
      fc.property(forms, fc.domain(), fc.stringMatching(/^\w[\w-]{0,9}(\/\w[\w.-]{0,9})?$/), (form, host, path) => {
        const url = form.replace("HOST", host).replace("PATH", path);
        expect([GitUrl.safeParse(url).success, parseGitAddress(url)?.host]).toEqual([true, host.toLowerCase()]);
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => parseGitAddress(text)?.host !== ""));
  });

  test("that has moved is the redirect's address without the path of the request", () => {
    const from = parseGitAddress("https://gitlab.example/a/b");
    if (!from) throw new Error("no address");
    expect(movedTo(from, "/a/b.git/info/refs?service=git-upload-pack")?.url).toBe("https://gitlab.example/a/b.git");
    expect(movedTo(from, "https://other.example/login")).toBeUndefined();
    expect(movedTo(from, "http://x:y@other.example/a/info/refs")).toBeUndefined();
  });
});

describe("a failure of git", () => {
  const address = { protocol: "https" as const, host: "h.example", shown: "h.example/a" };

  test("becomes one sentence, whatever git printed", () => {
    fc.assert(
      fc.property(fc.string(), fc.boolean(), (output, credentials) => {
        const { message } = gitProblem(output, { address, credentials });
        expect(message.length).toBeGreaterThan(0);
        expect(message.length).toBeLessThan(500);
        expect(message).not.toContain("\n");
      }),
    );
    expect(gitProblem("warning: x\nfatal: something new\n", { address, credentials: false }).message).toBe(
      "h.example/a could not be fetched: something new",
    );
  });

  test("about a missing ref is recognised", () => {
    expect(isMissingRef("fatal: couldn't find remote ref refs/heads/x")).toBe(true);
    expect(isMissingRef("fatal: remote error: upload-pack: not our ref 012")).toBe(true);
    expect(isMissingRef("fatal: repository not found")).toBe(false);
  });
});

describe("output of git", () => {
  const names = fc.stringMatching(/^[^\0]{1,20}$/);

  test("listing files is read alike however it is split into chunks", () => {
    fc.assert(
      fc.property(fc.array(names), fc.array(fc.nat(200)), (paths, cuts) => {
        const text = paths.map((path) => `100644 blob ${"a".repeat(40)}      12\t${path}\0`).join("");
        const at = [0, ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length];
        const read = createTreeReader();
        const entries = at.slice(1).flatMap((end, n) => read(text.slice(at[n], end)));
        expect(entries).toEqual(paths.map((path) => ({ type: "file", bytes: 12, path })));
      }),
    );
  });

  test("listing files has links, folders and submodules", () => {
    const read = createTreeReader();
    const lines = [
      "120000 blob 1111       7\ta",
      "040000 tree 1111       -\tb",
      "160000 commit 1111       -\tc",
      "100755 blob 1111   12345\td\te",
    ];
    expect(read(lines.map((line) => `${line}\0`).join("")).map(({ type, bytes, path }) => [type, bytes, path])).toEqual(
      [
        ["link", 7, "a"],
        ["folder", 0, "b"],
        ["module", 0, "c"],
        ["file", 12345, "d\te"],
      ],
    );
  });

  test("listing refs has the commit that an annotated tag points to", () => {
    const [one, two, three] = ["1", "2", "3"].map((digit) => digit.repeat(40));
    const text = `${one}\trefs/heads/a/b\n${two}\trefs/tags/v1\n${three}\trefs/tags/v1^{}\n${one}\trefs/pull/1/head\njunk\n`;
    expect(parseRemoteRefs(text)).toEqual([
      { sha: one, name: "a/b", kind: "branch" },
      { sha: three, name: "v1", kind: "tag" },
    ]);
  });

  test("naming a commit has its whole SHA, a prefix of it, or neither", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-f]{1,70}$/), (text) => {
        expect(isSha(text)).toBe(text.length === 40 || text.length === 64);
        expect(isShortSha(text)).toBe(text.length >= 4 && text.length < 40);
      }),
    );
  });
});

describe("the nearest names", () => {
  test("are some of the names, an equal one first", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 20 })), fc.string({ maxLength: 20 }), (names, wanted) => {
        const near = nearNames(wanted, new Set(names));
        expect(near.length).toBeLessThanOrEqual(3);
        expect(names).toEqual(expect.arrayContaining(near));
        if (names.includes(wanted))
          expect(nearNames(wanted, [wanted, ...names])[0]?.toLowerCase()).toBe(wanted.toLowerCase());
      }),
    );
    expect(nearNames("mian", ["develop", "main", "v1"])).toEqual(["main"]);
    expect(nearNames("origin/main", ["develop", "main"])).toEqual(["main"]);
    expect(nearNames("zzz", ["develop", "main"])).toEqual([]);
  });
});
