import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { useGitSources } from "../support/git-sources.ts";
import { commit, git } from "../support/git-server.ts";
import { filesIn, newSourceFetcher, temporary } from "../support/sources.ts";

const served = useGitSources();
const { repository, repositories } = served;

interface Entry {
  mode: string;
  type: "blob" | "tree" | "commit";
  sha: string;
  name: string | Buffer;
}

/** Commits a tree of arbitrary entries, including ones that git itself refuses to make. */
function commitTree(folder: string, entries: readonly Entry[]): void {
  const bytes = Buffer.concat(
    entries
      .toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
      .flatMap(({ mode, name, sha }) => [
        Buffer.from(`${mode.replace(/^0/, "")} `),
        Buffer.from(name),
        Buffer.from([0]),
        Buffer.from(sha, "hex"),
      ]),
  );
  const hash = ["-C", folder, "hash-object", "-t", "tree", "-w", "--literally", "--stdin"];
  const tree = execFileSync("git", hash, { input: bytes, encoding: "utf8" }).trim();
  git(folder, "update-ref", "refs/heads/main", git(folder, "commit-tree", "-m", "hostile", tree));
}

function blob(folder: string, text: string): string {
  return execFileSync("git", ["-C", folder, "hash-object", "-w", "--stdin"], { input: text, encoding: "utf8" }).trim();
}

describe("a repository can't make the server", () => {
  test("run its hooks, its filters or its own settings", async () => {
    const trace = join(repositories, "ran");
    const program = `touch ${trace}`;
    const { source, folder } = repository({
      ".gitattributes": "* filter=evil diff=evil merge=evil text=auto\n",
      ".githooks/post-checkout": `#!/bin/sh\n${program}\n`,
      ".gitconfig": `[filter "evil"]\n smudge = ${program}\n clean = ${program}\n required = true\n`,
      ".lfsconfig": `[lfs]\n url = ${program}\n`,
      "a.txt": "a\n",
    });
    for (const hook of ["post-checkout", "pre-receive", "post-update"]) {
      writeFileSync(join(folder, ".git/hooks", hook), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    }
    const { root } = await served.fetcher.fetch(source);
    expect(await readFile(join(root, "a.txt"), "utf8")).toBe("a\n");
    expect(existsSync(trace)).toBe(false);
  });

  test.each([
    ["an absolute link", { "docs/out": { link: "/etc/passwd" } }, "docs/out"],
    ["a link above the root", { "a/b/out": { link: "../../../x" } }, "a/b/out"],
    ["a link by way of others", { up: { link: "../x" }, "b/c/out": { link: "../../b/../up" } }, "b/c/out"],
    ["a link to nothing outside", { out: { link: "../nothing/here" } }, "out"],
    ["a link that leads back in again", { out: { link: "../fetched/x" } }, "out"],
  ])("follow %s", async (_, files, link) => {
    const { source } = repository({ ...files, "b/c/d": "1" });
    expect(await served.fetcher.failure(source)).toEqual({
      message: `The link "${link}" leads out of the repository`,
      fix: "Remove the link, or let it lead to a file of the repository by a relative path",
    });
  });

  test.each([
    ["its own folder", { here: { link: "." } }, "here"],
    ["a folder", { "b/up": { link: "../b/c" } }, "b/up"],
    ["a folder by way of a file's link", { "a/one": { link: "../two" }, two: { link: "b/./c/../c" } }, "a/one"],
  ])("keep a link to %s", async (_, files, link) => {
    const { source } = repository({ ...files, "b/c/d": "1" });
    expect(await served.fetcher.failure(source)).toEqual({
      message: `The link "${link}" leads to a folder`,
      fix: "Put the folder itself there, or let the code name the folder that the link leads to",
    });
  });

  test("keep any link: links to files become copies with their mode, links to nothing are left out", async () => {
    const { source, folder } = repository({
      "a/b.txt": "b",
      "a/same": { link: "b.txt" },
      "c/up": { link: "../a/./same" },
      "c/none": { link: "../later/../a/none" },
      one: { link: "two" },
      two: { link: "one" },
      run: "#!/bin/sh\n",
      "bin/run": { link: "../run" },
    });
    git(folder, "update-index", "--chmod=+x", "run");
    git(folder, "commit", "-q", "-m", "executable");
    const before = served.fetcher.lines.length;
    const { root } = await served.fetcher.fetch(source);
    expect(await filesIn(root)).toEqual(["a/b.txt", "a/same", "bin/run", "c/up", "run"]);
    expect(await readFile(join(root, "c/up"), "utf8")).toBe("b");
    const modes = ["run", "bin/run", "c/up"].map((path) => lstatSync(join(root, path)).mode & 0o170111);
    expect(modes).toEqual([0o100111, 0o100111, 0o100000]);
    expect(served.fetcher.lines.slice(before).filter((text) => text.includes("left out"))).toEqual([
      '"c/none" is left out: it leads to nothing',
      '"one" is left out: it leads back to itself',
      '"two" is left out: it leads back to itself',
    ]);
  });

  test("exceed its limits by many links to one file", async () => {
    const small = newSourceFetcher({ limits: { bytes: 1_000_000, entries: 100 } });
    const links = Array.from({ length: 20 }, (_, n) => [`l${n}`, { link: "large" }]);
    const { source } = repository({ large: "x".repeat(100_000), ...Object.fromEntries(links) });
    expect((await small.failure(source)).message).toMatch(/holds more than 0\.95 MB$/);
    await small.remove();
  });

  test.each([".git", ".GIT", ".Git", "git~1", ".g\u200Cit", ".git ", ".git."])(
    "write a folder called %j",
    async (name) => {
      const { source, folder } = repository({});
      const config = blob(folder, "[core]\n fsmonitor = touch /tmp/evil\n");
      const inner = execFileSync("git", ["-C", folder, "mktree"], {
        input: `100644 blob ${config}\tconfig\n`,
        encoding: "utf8",
      }).trim();
      commitTree(folder, [{ mode: "040000", type: "tree", sha: inner, name }]);
      const { message, fix } = await served.fetcher.failure(source);
      expect(message).toMatch(/holds something that git refuses as dangerous: hasDotgit/);
      expect(fix).toBe("Remove it from the branch, with a new commit");
    },
  );

  test.each(["..", ".", "a/../../b", "a\\..\\..\\b"])("write a file called %j", async (name) => {
    const { source, folder } = repository({});
    commitTree(folder, [{ mode: "100644", type: "blob", sha: blob(folder, "x"), name }]);
    if (name.includes("\\")) expect(await filesIn((await served.fetcher.fetch(source)).root)).toEqual([name]);
    else expect((await served.fetcher.failure(source)).message).toContain("dangerous");
  });

  test("write through a link that has the name of a folder", async () => {
    const { source, folder } = repository({});
    const inner = execFileSync("git", ["-C", folder, "mktree"], {
      input: `100644 blob ${blob(folder, "x")}\tb\n`,
      encoding: "utf8",
    }).trim();
    commitTree(folder, [
      { mode: "120000", type: "blob", sha: blob(folder, "/tmp"), name: "a" },
      { mode: "040000", type: "tree", sha: inner, name: "a" },
    ]);
    expect((await served.fetcher.failure(source)).message).toContain("dangerous");
  });

  test("fetch its submodules, or use their names", async () => {
    const { source, folder } = repository({ "a.txt": "a" });
    git(folder, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},libs/sub`);
    writeFileSync(join(folder, ".gitmodules"), '[submodule "s"]\n path = libs/sub\n url = http://127.0.0.1:1/x\n');
    git(folder, "add", ".gitmodules");
    git(folder, "commit", "-q", "-m", "submodule");
    const { root } = await served.fetcher.fetch(source);
    expect(await readdir(join(root, "libs/sub"))).toEqual([]);
    expect(served.fetcher.lines).toContain('The submodule "libs/sub" is left empty');
    writeFileSync(join(folder, ".gitmodules"), '[submodule "s"]\n path = libs/sub\n url = -u./evil\n');
    git(folder, "add", ".gitmodules");
    git(folder, "commit", "-q", "-m", "evil");
    expect((await served.fetcher.failure(source)).message).toMatch(/dangerous: gitmodulesUrl/);
  });

  test("fail on unusual names", async () => {
    const names = ["line\nbreak", "tab\there", '"quoted"', "-n", "--help", "ü 😀", "$(id)", "a;b", " "];
    const { source, folder } = repository(Object.fromEntries(names.map((name) => [name, name])));
    expect(await filesIn((await served.fetcher.fetch(source)).root)).toEqual(names.toSorted());
    const bytes = Buffer.from([0x66, 0xff, 0xfe]);
    commitTree(folder, [
      { mode: "100644", type: "blob", sha: blob(folder, "x"), name: bytes },
      { mode: "120000", type: "blob", sha: blob(folder, "nowhere"), name: Buffer.from([0x67, 0xff]) },
    ]);
    const { root } = await served.fetcher.fetch(source);
    expect(readdirSync(root, { encoding: "buffer" })[0]).toEqual(bytes);
  });

  test("count folders without end", async () => {
    const { source, folder } = repository({});
    let sha = execFileSync("git", ["-C", folder, "mktree"], { input: "", encoding: "utf8" }).trim();
    for (let depth = 0; depth < 12; depth++) {
      const input = Array.from({ length: 10 }, (_, n) => `040000 tree ${sha}\td${n}\n`).join("");
      sha = execFileSync("git", ["-C", folder, "mktree"], { input, encoding: "utf8" }).trim();
    }
    git(folder, "update-ref", "refs/heads/main", git(folder, "commit-tree", "-m", "bomb", sha));
    expect((await served.fetcher.failure(source)).message).toMatch(/holds more than 100,000 files$/);
  });

  test("keep a folder that the platform would take for its own", async () => {
    const { source } = repository({ ".graphlib/compiled.js": "evil", "a.txt": "a" });
    expect(await filesIn((await served.fetcher.fetch(source)).root)).toEqual(["a.txt"]);
  });
});

describe("an address or a ref can't be read as anything else", () => {
  const trace = join(temporary("trace"), "trace");
  const failure = (url: string, ref?: string) => served.fetcher.failure({ type: "git", url, ref });

  test.each([
    `--upload-pack=touch ${trace}`,
    `ext::sh -c touch% ${trace}`,
    "git://127.0.0.1/a",
    "file:///etc",
    "/etc",
    "ftp://127.0.0.1/a",
    "http://user:password@127.0.0.1/a",
    "ssh://-oProxyCommand=touch@host/a",
    `ssh://%2doProxyCommand=touch%20${trace}/a`,
    "a@-oProxyCommand=x:y",
    "",
  ])("the address %j", async (url) => {
    expect((await failure(url)).message).toMatch(
      /^(This is not the address of a git repository|There is no (?:host|git repository at)|.* can't be reached)/,
    );
    expect(existsSync(trace)).toBe(false);
  });

  test.each([
    `--upload-pack=touch ${trace}`,
    "-h",
    "main:refs/heads/evil",
    "refs/heads/*",
    "^main",
    "@{u}",
    "a b",
    "a\nb",
  ])("the ref %j", async (ref) => {
    const { source } = repository({ a: "1" });
    expect((await failure(source.url, ref)).message).toBeTruthy();
    expect(existsSync(trace)).toBe(false);
  });
});

describe("a full disk", () => {
  const small = temporary("small-disk");
  const isMounted = ((): boolean => {
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", small], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  })();
  afterAll(() => {
    if (isMounted) execFileSync("umount", [small]);
  });

  test.skipIf(!isMounted)("is reported as such", async () => {
    const { source, folder } = repository({ "large.txt": "0".repeat(3_000_000) });
    const full = {
      message: "The disk of this server is full",
      fix: "Ask the server's operator to free disk space, then try again",
    };
    mkdirSync(join(small, "home"));
    const alone = newSourceFetcher({ home: join(small, "home") });
    expect(await alone.failure(source)).toEqual(full);
    expect(await alone.failure({ type: "folder", path: folder })).toEqual(full);
    const body = [Buffer.alloc(2_000_000)];
    const received = alone.sources.uploads.receive(
      (async function* () {
        yield* body;
      })(),
      new AbortController().signal,
    );
    await expect(received).rejects.toThrow(full.message);
    commit(folder, { "large.txt": "" }, "small again");
    expect((await alone.fetch(source)).commit?.message).toBe("small again");
  });
});
