/** Fetches hostile repositories with the real git; git-lfs is installed where that is possible. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useGitSources } from "../support/git-sources.ts";
import { git } from "../support/git-server.ts";
import { env, filesIn, newSourceFetcher, type SourceFetcher, temporary } from "../support/sources.ts";

const served = useGitSources();
const { repository, repositories } = served;
const machine = temporary("machine");
const trace = join(repositories, "ran");
const RUN = `touch ${trace}`;
let place: SourceFetcher;
/** Records requests to a host that a repository names. */
let named: Server;
let calls: string[];

beforeAll(async () => {
  // The settings that `git lfs install` writes, and filters of the user.
  const lfs = '[filter "lfs"]\n smudge = git-lfs smudge -- %f\n process = git-lfs filter-process\n required = true\n';
  const evil = `[filter "evil"]\n smudge = ${RUN}\n process = ${RUN}\n required = true\n`;
  const more = `[core]\n fsmonitor = ${RUN}\n hooksPath = ${join(repositories, "hooks")}\n`;
  writeFileSync(join(machine, ".gitconfig"), lfs + evil + more);
  mkdirSync(join(machine, "git"));
  writeFileSync(join(machine, "git/config"), lfs + evil + more);
  place = newSourceFetcher({ env: { ...env, HOME: machine, XDG_CONFIG_HOME: machine } });
  calls = [];
  named = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    response.writeHead(404).end();
  });
  await new Promise<void>((listening) => named.listen(0, "127.0.0.1", listening));
});
afterAll(async () => {
  named.close();
  await place.remove();
  rmSync(machine, { recursive: true, force: true });
});

const privateHost = (): string => `http://127.0.0.1:${(named.address() as AddressInfo).port}`;

async function fetched(source: ReturnType<typeof served.at>): Promise<{ root: string; lines: string[] }> {
  const before = place.lines.length;
  const { root } = await place.fetch(source);
  expect(existsSync(trace), "something of the repository ran").toBe(false);
  expect(calls, "a host that the repository names was called").toEqual([]);
  return { root, lines: place.lines.slice(before) };
}

test("the filters of these tests do run in an ordinary clone", () => {
  const { folder } = repository({ ".gitattributes": "*.txt filter=evil\n", "a.txt": "a\n" });
  const ordinary = { PATH: process.env.PATH ?? "", HOME: machine, NODE_ENV: "test" as const };
  expect(() =>
    execFileSync("git", ["clone", "-q", folder, join(machine, "clone")], { env: ordinary, stdio: "ignore" }),
  ).toThrow("Command failed");
  expect(existsSync(trace)).toBe(true);
  rmSync(trace);
});

describe("submodules", () => {
  const withModule = (url: string, more = ""): { folder: string; source: ReturnType<typeof served.at> } => {
    const made = repository({
      "a.txt": "a",
      payload: `#!/bin/sh\n${RUN}\n`,
      ".gitmodules": `[submodule "s"]\n path = libs/sub\n url = ${url}\n${more}`,
    });
    git(made.folder, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},libs/sub`);
    git(made.folder, "commit", "-q", "-m", "submodule");
    return made;
  };

  test.each([
    ["a file of this machine", () => "file:///etc"],
    ["a folder of this machine", () => repositories],
    ["a program", () => `ext::sh -c ${RUN.replaceAll(" ", "%20")}`],
    ["a repository beside it", () => "../other"],
    ["a private host", () => `${privateHost()}/x`],
  ])("that name %s are left empty, with a line in the log", async (_, url) => {
    const { source } = withModule(url(), " update = checkout\n fetchRecurseSubmodules = true\n");
    const { root, lines } = await fetched(source);
    expect(readdirSync(join(root, "libs/sub"))).toEqual([]);
    expect(lines).toContain('The submodule "libs/sub" is left empty');
  });

  test.each([
    ["an option for its address", "-u./payload", "", "gitmodulesUrl"],
    ["a command for its update", "../other", " update = !./payload\n", "gitmodulesUpdate"],
  ])("with %s are refused", async (_, url, more, reason) => {
    const { source } = withModule(url, more);
    const { message } = await place.failure(source);
    expect(message).toContain(`holds something that git refuses as dangerous: ${reason}`);
    expect(existsSync(trace)).toBe(false);
  });

  test("whose names lead out of the repository's own folder are refused", async () => {
    const { source, folder } = withModule("../other");
    writeFileSync(join(folder, ".gitmodules"), '[submodule "../../hooks"]\n path = libs/sub\n url = ../other\n');
    git(folder, "commit", "-qam", "name");
    expect((await place.failure(source)).message).toMatch(/dangerous: gitmodulesName/);
  });
});

describe("attributes", () => {
  test("start no filter, not even one of this machine", async () => {
    const { source } = repository({
      ".gitattributes": "*.txt filter=evil diff=evil merge=evil\n*.bin filter=lfs diff=lfs merge=lfs -text\n",
      "a.txt": "a\n",
      "b.bin": "b\n",
    });
    const { root } = await fetched(source);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("a\n");
    expect(readFileSync(join(root, "b.bin"), "utf8")).toBe("b\n");
  });

  test("for another encoding or an id are applied by git itself, and those for exports have no effect", async () => {
    const { source } = repository({
      ".gitattributes":
        "*.utf16 text working-tree-encoding=UTF-16LE\n*.odd text working-tree-encoding=NONE-SUCH\n*.id ident\n*.sub export-subst\n",
      "a.utf16": "",
      "b.id": "$Id$\n",
      "c.sub": "$Format:%H$\n",
    });
    const { root } = await fetched(source);
    expect(readFileSync(join(root, "b.id"), "utf8")).toMatch(/^\$Id: [0-9a-f]{40} \$\n$/);
    expect(readFileSync(join(root, "c.sub"), "utf8")).toBe("$Format:%H$\n");
  });

  test("for an unknown encoding do no harm", async () => {
    const { source, folder } = repository({ "b.odd": "b\n" });
    writeFileSync(join(folder, ".gitattributes"), "*.odd text working-tree-encoding=NONE-SUCH\n");
    git(folder, "add", ".gitattributes");
    git(folder, "commit", "-q", "-m", "encoding");
    const outcome = await place.fetch(source).then(
      ({ root }) => readFileSync(join(root, "b.odd"), "utf8"),
      (error: unknown) => (error instanceof Error ? error.name : "unknown"),
    );
    expect(outcome).toMatch(/^(b\n|StepFailure)$/);
  });
});

describe("Git LFS", () => {
  const oid = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 12345\n`;

  test("calls no host that a repository names; its pointers are listed with a fix", async () => {
    const { source } = repository({
      ".lfsconfig": `[lfs]\n url = ${privateHost()}/lfs\n[remote "origin"]\n lfsurl = ${privateHost()}/origin\n`,
      "models/.gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
      "models/large.bin": pointer,
      "models/small.bin": "is here\n",
      "note.txt": "version https://git-lfs.github.com/spec/v1 is what a pointer begins with\n",
    });
    const { root, lines } = await fetched(source);
    expect(readFileSync(join(root, "models/large.bin"), "utf8")).toBe(pointer);
    expect(lines.filter((text) => text.includes("LFS"))).toEqual([
      'Files kept with Git LFS are left as pointers: "models/large.bin". Where the graphs need their contents, keep ' +
        "them in git itself, or deploy an archive of the folder after `git lfs pull`",
    ]);
  });

  test("is not mentioned where there is no pointer", async () => {
    const { source } = repository({ ".gitattributes": "*.bin filter=lfs\n", "a.bin": "here\n" });
    expect((await fetched(source)).lines.join("\n")).not.toContain("LFS");
  });
});

describe("the repository's own git files", () => {
  test("hooks and settings of the repository run nothing, under any name", async () => {
    const hook = `#!/bin/sh\n${RUN}\n`;
    const { source, folder } = repository({
      "hooks/post-checkout": hook,
      ".githooks/post-checkout": hook,
      ".gitconfig": `[core]\n fsmonitor = ${RUN}\n sshCommand = ${RUN}\n`,
      config: `[core]\n fsmonitor = ${RUN}\n`,
    });
    mkdirSync(join(repositories, "hooks"), { recursive: true });
    for (const name of ["post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc"]) {
      writeFileSync(join(repositories, "hooks", name), hook, { mode: 0o755 });
    }
    git(folder, "config", "core.fsmonitor", RUN);
    git(folder, "config", "uploadpack.packObjectsHook", RUN);
    const { root } = await fetched(source);
    expect(await filesIn(root)).toContain("config");
  });

  test.each([
    ".git",
    ".GIT",
    ".gIt",
    "git~1",
    "GIT~1",
    ".g\u200Cit",
    ".gi\u200Dt",
    ".git ",
    ".git.",
    ".git::$INDEX_ALLOCATION",
  ])("a file named %j is not written", async (name) => {
    const { source, folder } = repository({});
    const blob = execFileSync("git", ["-C", folder, "hash-object", "-w", "--stdin"], {
      input: `gitdir: ${machine}\n`,
      encoding: "utf8",
    }).trim();
    const bytes = Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, "hex")]);
    const hash = ["-C", folder, "hash-object", "-t", "tree", "-w", "--literally", "--stdin"];
    const tree = execFileSync("git", hash, { input: bytes, encoding: "utf8" }).trim();
    git(folder, "update-ref", "refs/heads/main", git(folder, "commit-tree", "-m", "hostile", tree));
    const outcome = await place.fetch(source).then(
      ({ root }) => readdirSync(root).join(),
      (error: unknown) => String(error),
    );
    expect(outcome).toMatch(/dangerous: hasDotgit|refuses|^StepFailure/);
  });
});
