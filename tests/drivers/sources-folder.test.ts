import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { lstat, readFile, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { git, makeRepository, write } from "../support/git-server.ts";
import { filesIn, newSourceFetcher, type SourceFetcher, temporary } from "../support/sources.ts";

let folder: string;
let place: SourceFetcher;
beforeEach(() => {
  folder = temporary("folder");
  place = newSourceFetcher();
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await place.remove();
});

const source = (path = folder) => ({ type: "folder" as const, path });

describe("a folder", () => {
  test("is copied without generated files, at any depth", async () => {
    write(folder, {
      "graphlib.json": "{}",
      ".env": "A=1",
      "src/a.ts": "1",
      "src/node_modules/x/index.js": "",
      "node_modules/x/index.js": "",
      ".git/config": "",
      ".graphlib/secret": "s",
      ".next/a": "",
      "apps/.next/a": "",
    });
    chmodSync(join(folder, "src/a.ts"), 0o755);
    const { folder: copied, root, commit } = await place.fetch(source());
    expect(copied).toBe(root);
    expect(commit).toBeUndefined();
    expect(await filesIn(root)).toEqual([".env", "graphlib.json", "src/a.ts"]);
    expect((await stat(join(root, "src/a.ts"))).mode & 0o777).toBe(0o755);
  });

  test("is copied with the targets of links inside of it, without other links and special files", async () => {
    write(folder, {
      "a/b.txt": "b",
      "a/same": { link: "b.txt" },
      out: { link: "/etc/passwd" },
      up: { link: "a/../../x" },
      "by/way": { link: "../out" },
    });
    execFileSync("mkfifo", [join(folder, "pipe")]);
    const server = createServer().listen(join(folder, "socket"));
    const { root } = await place.fetch(source());
    server.close();
    expect(await filesIn(root)).toEqual(["a/b.txt", "a/same"]);
    expect((await lstat(join(root, "a/same"))).isFile()).toBe(true);
    expect(await readFile(join(root, "a/same"), "utf8")).toBe(await readFile(join(root, "a/b.txt"), "utf8"));
    expect(place.lines.filter((text) => text.includes("left out")).toSorted()).toEqual([
      '"by/way" is left out: it leads out of the folder',
      '"out" is left out: it leads out of the folder',
      '"pipe" is left out: it is not a file',
      '"socket" is left out: it is not a file',
      '"up" is left out: it leads out of the folder',
    ]);
  });

  test("with unusual names is copied", async () => {
    const names = ["line\nbreak", "-n", "ü 😀", "$(id)"];
    write(folder, Object.fromEntries(names.map((name) => [name, name])));
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x66, 0xff])]), "x");
    const { root } = await place.fetch(source());
    expect(await filesIn(root)).toHaveLength(names.length + 1);
  });

  test("that holds the server's own folder is copied without it", async () => {
    const inside = newSourceFetcher({ home: join(folder, "state") });
    mkdirSync(inside.home);
    write(folder, { "a.txt": "a", "state/database.sqlite": "d" });
    expect(await filesIn((await inside.fetch(source())).root)).toEqual(["a.txt"]);
  });

  test("that is too large is refused", async () => {
    write(folder, { a: "0".repeat(2_000_000) });
    const small = newSourceFetcher({ limits: { bytes: 1024 * 1024, entries: 10 } });
    expect((await small.failure(source())).message).toBe("The folder holds more than 1 MB");
    write(folder, { a: "", ...Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`f${n}`, ""])) });
    expect((await small.failure(source())).message).toBe("The folder holds more than 10 files");
    await small.remove();
  });

  test("that is missing, or is a file, is refused", async () => {
    expect((await place.failure(source(join(folder, "none")))).message).toBe(
      "There is no such folder on the server's machine",
    );
    write(folder, { file: "" });
    expect((await place.failure(source(join(folder, "file")))).message).toMatch(/^This is a file/);
  });
});

describe("a folder with a git repository", () => {
  test("has its commit, and says whether it was changed since", async () => {
    const sha = makeRepository(
      folder,
      { "a.txt": "1", "apps/chat/b.txt": "1", ".gitignore": "ignored\n" },
      "all of it",
    );
    write(folder, { ignored: "x" });
    const { commit } = await place.fetch(source());
    expect(commit).toEqual({
      sha,
      message: "all of it",
      author: "Ada",
      committed_at: "2026-01-02T03:04:05.000Z",
    });
    expect(place.lines).toContain(`Copying the folder as it is, at commit ${sha.slice(0, 12)}`);
    write(folder, { "a.txt": "2" });
    expect((await place.fetch(source())).commit).toMatchObject({ sha, dirty: true });
    expect(place.lines).toContain(`Copying the folder as it is, at commit ${sha.slice(0, 12)} with changes since`);
    // Only changes inside the folder count.
    expect((await place.fetch(source(join(folder, "apps/chat")))).commit?.dirty).toBeUndefined();
    write(folder, { "apps/chat/new.txt": "" });
    expect((await place.fetch(source(join(folder, "apps/chat")))).commit?.dirty).toBe(true);
  });

  test("with a linked work tree has its commit too, one that only lies in a work tree has none", async () => {
    const sha = makeRepository(join(folder, "main"), { "a.txt": "1" });
    git(join(folder, "main"), "worktree", "add", "-q", "../other");
    expect((await place.fetch(source(join(folder, "other")))).commit).toMatchObject({ sha });
    write(folder, { "main/untracked/a.txt": "1" });
    expect((await place.fetch(source(join(folder, "main/untracked")))).commit).toBeUndefined();
  });

  test("can't make git run programs, and keeps its index unchanged", async () => {
    const trace = join(folder, "ran");
    makeRepository(folder, { "a.txt": "1", ".gitattributes": "* filter=evil diff=evil\n" });
    const program = `touch ${trace}; cat`;
    for (const [key, value] of Object.entries({
      "core.fsmonitor": program,
      "core.hooksPath": join(folder, "hooks"),
      "core.pager": program,
      "core.sshCommand": program,
      "diff.external": program,
      "filter.evil.clean": program,
      "filter.evil.process": program,
      "gpg.program": program,
      "log.showSignature": "true",
    })) {
      git(folder, "config", key, value);
    }
    // The size is the same as before, so git must compare the contents.
    write(folder, { "a.txt": "2" });
    rmSync(trace, { force: true });
    const index = await stat(join(folder, ".git/index"));
    const { commit } = await place.fetch(source());
    expect(commit).toMatchObject({ message: "first", dirty: true });
    expect(existsSync(trace)).toBe(false);
    expect((await stat(join(folder, ".git/index"))).mtimeMs).toBe(index.mtimeMs);
  });

  test("is copied without a commit when git fails or is missing", async () => {
    makeRepository(folder, { "a.txt": "1" });
    const without = newSourceFetcher({ env: { PATH: "/nowhere" } });
    const { root, commit } = await without.fetch(source());
    expect(await filesIn(root)).toEqual(["a.txt"]);
    expect(commit).toBeUndefined();
    expect(without.lines).toContain("Git can't tell which commit this folder is at");
    await without.remove();
    mkdirSync(join(folder, "fresh"));
    git(join(folder, "fresh"), "init", "-q");
    expect((await place.fetch(source(join(folder, "fresh")))).commit).toBeUndefined();
  });

  test("by way of a link is the folder that the link leads to", async () => {
    write(folder, { "real/a.txt": "a" });
    symlinkSync("real", join(folder, "link"));
    expect(await filesIn((await place.fetch(source(join(folder, "link")))).root)).toEqual(["a.txt"]);
  });
});
