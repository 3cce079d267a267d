import { execFileSync } from "node:child_process";
import { cp, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { cloneOf, makeTemplate } from "./project.ts";

const INSTALLED = ["install begins", "install ends"];
const BUILT = ["build begins", "build ends"];

let template: string;
let installed: string;
const roots: string[] = [];

async function clone(of = template) {
  const made = await cloneOf(of);
  roots.push(made.root);
  return made;
}

beforeAll(async () => {
  template = await makeTemplate();
  roots.push(template);
  const ready = await clone();
  await ready.run("start");
  await rm(join(ready.root, "log"));
  installed = ready.root;
});

afterAll(async () => {
  for (const root of roots) await rm(root, { recursive: true, force: true });
});

describe.concurrent("set-up of a clone", () => {
  it("installs and builds a fresh clone and reports each step in one line", async () => {
    const fresh = await clone();
    const { code, output } = await fresh.run("start");
    expect(output).toMatch(/^Installing packages… \d+\.\d s\nBuilding… \d+\.\d s\n$/);
    expect(code, output).toBe(0);
    expect(await fresh.log()).toEqual([...INSTALLED, ...BUILT]);
    expect(await readdir(join(fresh.root, ".graphlib"))).toEqual([]);
  });

  it("does and prints nothing when nothing has changed, not even when files were touched", async () => {
    const ready = await clone(installed);
    await utimes(join(ready.root, "app/page.txt"), new Date(), new Date());
    expect(await ready.run("start")).toEqual({ code: 0, output: "" });
    expect(await ready.log()).toEqual([]);
  });

  it.each([
    ["an edited", async (app: string) => writeFile(join(app, "page.txt"), "two")],
    ["an added", async (app: string) => writeFile(join(app, "deep/new.txt"), "")],
    ["a deleted", async (app: string) => rm(join(app, "deep/er/route.txt"))],
    [
      "a renamed",
      async (app: string) => cp(join(app, "page.txt"), join(app, "p.txt")).then(() => rm(join(app, "page.txt"))),
    ],
  ])("builds once more for %s file", async (_, change) => {
    const ready = await clone(installed);
    await change(join(ready.root, "app"));
    const { code, output } = await ready.run("start");
    expect(output).toMatch(/^Building again \(sources changed\)… \d+\.\d s\n$/);
    expect(code, output).toBe(0);
    expect(await ready.run("start")).toEqual({ code: 0, output: "" });
    expect(await ready.log()).toEqual(BUILT);
  });

  it("installs again when package-lock.json changed, and builds with the new packages", async () => {
    const ready = await clone(installed);
    await cp(join(ready.root, "later"), ready.root, { recursive: true });
    const { output } = await ready.run("start");
    expect(output).toMatch(/^Installing packages again \(node_modules\/greet differs\)… .*\nBuilding again/);
    expect(await readFile(join(ready.root, "node_modules/greet/index.js"), "utf8")).toContain("hi");
    expect(await ready.run("start")).toEqual({ code: 0, output: "" });
  });

  it("starts from packages without the development ones, but installs those for the tests", async () => {
    const ready = await clone(installed);
    const path = join(ready.root, "node_modules/.package-lock.json");
    const hidden = JSON.parse(await readFile(path, "utf8"));
    delete hidden.packages["node_modules/judge"];
    await writeFile(path, JSON.stringify(hidden));
    await rm(join(ready.root, "node_modules/judge"), { recursive: true });
    expect(await ready.run("start")).toEqual({ code: 0, output: "" });
    const { code, output } = await ready.run("test", { NODE_ENV: "production", npm_config_omit: "dev" });
    expect(output).toMatch(/^Installing packages again \(node_modules\/judge is missing\)/);
    expect(code, output).toBe(0);
    expect((await stat(join(ready.root, "node_modules/judge"))).isDirectory()).toBe(true);
  });

  it("runs the install script of the runtime whatever the caller's npm settings say", async () => {
    const fresh = await clone();
    expect(await fresh.run("install", { npm_config_ignore_scripts: "true" })).toMatchObject({ code: 0 });
    expect(await fresh.log()).toEqual(INSTALLED);
  });
});

describe.concurrent("set-up that went wrong", () => {
  it("repairs an installation that was killed half way", async () => {
    const fresh = await clone();
    await fresh.write({ "slow-install": "" });
    const { child, outcome } = fresh.started("start");
    await vi.waitFor(async () => expect(await fresh.log()).toEqual(["install begins"]), { timeout: 10_000 });
    process.kill(-(child.pid ?? NaN), "SIGKILL");
    expect(await outcome).toMatchObject({ code: null });
    await rm(join(fresh.root, "slow-install"));
    expect(await fresh.run("start")).toMatchObject({ code: 0 });
    expect(await fresh.log()).toEqual(["install begins", ...INSTALLED, ...BUILT]);
  });

  it("repairs a build that was interrupted, and reports that it was", async () => {
    const ready = await clone(installed);
    await ready.write({ "slow-build": "", "app/page.txt": "two" });
    const { child, outcome } = ready.started("start");
    await vi.waitFor(async () => expect(await ready.log()).toEqual(["build begins"]), { timeout: 10_000 });
    process.kill(-(child.pid ?? NaN), "SIGINT");
    const { code, output } = await outcome;
    expect(output).toMatch(/interrupted after/);
    expect(code, output).toBe(1);
    await rm(join(ready.root, "slow-build"));
    await ready.write({ "app/page.txt": "one" });
    expect(await ready.run("start")).toMatchObject({ code: 0 });
    expect(await ready.log()).toEqual(["build begins", ...BUILT]);
  });

  it("shows the whole output of a step that failed, and tries again the next time", async () => {
    const ready = await clone(installed);
    await ready.write({ "bad-build": "", "app/page.txt": "two" });
    const { code, output } = await ready.run("start");
    expect(output).toMatch(
      /failed after .*\n[^]*this build is bad\n[^]*The build failed\. Fix what its output above says/,
    );
    expect(code, output).toBe(1);
    await rm(join(ready.root, "bad-build"));
    expect(await ready.run("start")).toMatchObject({ code: 0 });
  });

  it("builds again after files changed while it was building", async () => {
    const ready = await clone(installed);
    await ready.write({ "slow-build": "", "app/page.txt": "two" });
    const { outcome } = ready.started("start");
    await vi.waitFor(async () => expect(await ready.log()).toEqual(["build begins"]), { timeout: 10_000 });
    await ready.write({ "app/page.txt": "three" });
    await outcome;
    await rm(join(ready.root, "slow-build"));
    expect((await ready.run("start")).output).toMatch(/^Building again/);
  });
});

describe.concurrent("set-ups at the same time", () => {
  it("let one work and the others wait for it", async () => {
    const fresh = await clone();
    await fresh.write({ "held-install": "" });
    const four = Array.from({ length: 4 }, () => fresh.started("start"));
    const waiting = () => four.filter(({ output }) => output().startsWith("Waiting for the set-up")).length;
    await vi.waitFor(() => expect(waiting()).toBe(3), { timeout: 60_000, interval: 50 });
    await rm(join(fresh.root, "held-install"));
    const outcomes = await Promise.all(four.map(({ outcome }) => outcome));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(outcomes.filter(({ output }) => output.startsWith("Installing"))).toHaveLength(1);
    expect(
      outcomes.filter(({ output }) => /^Waiting for the set-up that process \d+ is doing here… \d/.test(output)),
    ).toHaveLength(3);
    expect(await fresh.log()).toEqual([...INSTALLED, ...BUILT]);
  });

  // The lock is a pipe at first: it opens for writing once the set-up reads it, and is as empty as a file just created.
  it("name the process that they wait for even if it was about to write the lock", async () => {
    const ready = await clone(installed);
    await ready.write({ "app/page.txt": "two", written: JSON.stringify({ host: hostname(), pids: [process.pid] }) });
    const lock = join(ready.root, ".graphlib/setup.lock");
    await mkdir(dirname(lock), { recursive: true });
    execFileSync("mkfifo", [lock]);
    const { output, outcome } = ready.started("start");
    const empty = await open(lock, "w");
    await rename(join(ready.root, "written"), lock);
    await empty.close();
    await vi.waitFor(() => expect(output()).toContain("Waiting"), { timeout: 60_000, interval: 50 });
    await rm(lock);
    expect((await outcome).output).toMatch(
      new RegExp(`^Waiting for the set-up that process ${process.pid} is doing here… \\d`),
    );
  });

  it("take over the lock of a process that is gone, only one of them", async () => {
    const ready = await clone(installed);
    await ready.write({ "app/page.txt": "two" });
    const gone = ready.started("nonsense");
    await gone.outcome;
    await mkdir(join(ready.root, ".graphlib"), { recursive: true });
    await writeFile(
      join(ready.root, ".graphlib/setup.lock"),
      JSON.stringify({ host: hostname(), pids: [gone.child.pid] }),
    );
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => ready.run("start")));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(await ready.log()).toEqual(BUILT);
  });

  it("wait for an installation whose set-up was killed but which goes on", async () => {
    const fresh = await clone();
    await fresh.write({ "slow-install": "" });
    const { child } = fresh.started("start");
    await vi.waitFor(async () => expect(await fresh.log()).toEqual(["install begins"]), { timeout: 10_000 });
    child.kill("SIGKILL");
    const { code, output } = await fresh.run("start");
    expect(output).toMatch(/^Waiting for .*\nBuilding…/);
    expect(code, output).toBe(0);
    expect(await fresh.log()).toEqual([...INSTALLED, ...BUILT]);
  });
});
