import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const SETUP = join(import.meta.dirname, "..", "..", "lib", "setup.mjs");
const execute = promisify(execFile);

// Both steps log their begin and end in the folder where npm was called. A file `slow-…`, `held-…` or `bad-…` there makes
// a step slow, makes it wait until the file is gone, or makes it fail.
const LOG_AND_WAIT = (what: string) => `
  import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
  const home = process.env.INIT_CWD;
  const log = (word) => appendFileSync(home + "/log", "${what} " + word + "\\n");
  log("begins");
  if (existsSync(home + "/slow-${what}")) await new Promise((resolve) => setTimeout(resolve, 1500));
  while (existsSync(home + "/held-${what}")) await new Promise((resolve) => setTimeout(resolve, 20));
  if (existsSync(home + "/bad-${what}")) { console.log("this ${what} is bad"); process.exit(3); }
`;

const INSTALL_NODE = `${LOG_AND_WAIT("install")}
  mkdirSync("bin", { recursive: true });
  rmSync("bin/node", { force: true });
  symlinkSync(${JSON.stringify(process.execPath)}, "bin/node");
  log("ends");
`;

const BUILD = `${LOG_AND_WAIT("build")}
  mkdirSync(".next", { recursive: true });
  writeFileSync(".next/BUILD_ID", String(Date.now()));
  log("ends");
`;

const PACKAGES = {
  "node.tgz": {
    "package.json": json({
      name: "node",
      version: "1.0.0",
      bin: { node: "bin/node" },
      scripts: { install: "node install.mjs" },
    }),
    "install.mjs": INSTALL_NODE,
  },
  "greet.tgz": { "package.json": json({ name: "greet", version: "1.0.0" }), "index.js": "module.exports = 'hello';" },
  "greet-2.tgz": { "package.json": json({ name: "greet", version: "2.0.0" }), "index.js": "module.exports = 'hi';" },
  "judge.tgz": { "package.json": json({ name: "judge", version: "1.0.0" }) },
};

const manifest = (greet: string) => ({
  name: "tiny",
  version: "1.0.0",
  type: "module",
  scripts: { build: "node build.mjs" },
  dependencies: { node: "file:node.tgz", greet: `file:${greet}` },
  devDependencies: { judge: "file:judge.tgz" },
  allowScripts: { node: true },
});

function json(value: unknown): string {
  return JSON.stringify(value);
}

async function write(root: string, files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

async function lock(root: string): Promise<string> {
  await execute("npm", ["install", "--package-lock-only", "--offline", "--no-audit", "--no-fund"], { cwd: root });
  return readFile(join(root, "package-lock.json"), "utf8");
}

/** Makes a small npm project with the real set-up and two lockfiles. Nothing of it is installed yet. */
export async function makeTemplate(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "graphlib-setup-")));
  for (const [name, files] of Object.entries(PACKAGES)) {
    const folder = join(root, "packages", name);
    await write(join(folder, "package"), files);
    await execute("tar", ["-czf", join(root, name), "-C", folder, "package"]);
  }
  await write(root, { "package.json": json(manifest("greet-2.tgz")) });
  const later = await lock(root);
  await write(root, {
    "package.json": json(manifest("greet.tgz")),
    "later/package.json": json(manifest("greet-2.tgz")),
  });
  await execute("rm", ["package-lock.json"], { cwd: root });
  await lock(root);
  await write(root, {
    "later/package-lock.json": later,
    "build.mjs": BUILD,
    "app/page.txt": "one",
    "app/deep/er/route.txt": "one",
    "tests/support/browser.ts": "",
  });
  await cp(SETUP, join(root, "lib", "setup.mjs"));
  return root;
}

export type Outcome = { code: number | null; output: string };

/** Copies the template, and returns the calls that a developer makes there. */
export async function cloneOf(template: string) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "graphlib-setup-")));
  await cp(template, root, { recursive: true });
  const started = (
    mode: string,
    env: Record<string, string> = {},
  ): { child: ChildProcess; output: () => string; outcome: Promise<Outcome> } => {
    const child = spawn("node", [join(root, "lib", "setup.mjs"), mode], {
      cwd: tmpdir(),
      env: { ...process.env, npm_execpath: undefined, npm_config_offline: "true", ...env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    return {
      child,
      output: () => output,
      outcome: new Promise((resolve) => child.on("close", (code) => resolve({ code, output }))),
    };
  };
  return {
    root,
    started,
    run: (mode: string, env?: Record<string, string>) => started(mode, env).outcome,
    write: (files: Record<string, string>) => write(root, files),
    log: async () => (await readFile(join(root, "log"), "utf8").catch(() => "")).trimEnd().split("\n").filter(Boolean),
  };
}
