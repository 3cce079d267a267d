/** Settings and repositories by which a source, or its packages, could make a package manager run their code. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { keyOf, readManifests, writeManifests } from "../../lib/drivers/builds/manifests.ts";
import { SourceFiles } from "../../lib/drivers/builds/source-files.ts";
import { createTools } from "../../lib/drivers/builds/tools.ts";
import { findNpm } from "../../lib/program-env.ts";
import type { PackageManager } from "../../lib/protocol/preflight.ts";
import { installCommand, type Manager, packageOf } from "../../lib/rules/packages/package-managers.ts";
import { tarGz } from "../support/archives.ts";
import { fetchedApp, type Files, newContext, newFolder, removeFolders, writeFiles } from "../support/built-apps.ts";
import { fence, INSTALL_MS, newInstalled, newInstaller } from "../support/built-packages.ts";
import { odd, ODD_FILES, YARN_4 } from "../support/odd-package.ts";

afterAll(removeFolders);

const json = (value: object) => JSON.stringify(value);

describe("a settings file in a package of the source", () => {
  const names = [
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    "pnpmfile.js",
    "bunfig.toml",
    ".env",
    ".env.yarn",
    "pnpm-workspace.yaml",
    ".YarnRC",
  ];
  const place = fc.record({
    manager: fc.constantFrom<PackageManager>("npm", "pnpm", "yarn", "bun"),
    base: fc.constantFrom("", "app"),
    name: fc.constantFrom(...names),
    folder: fc.constantFrom("", "vendor", "vendor/deep"),
    isNamed: fc.boolean(),
    protocol: fc.constantFrom("file:", "link:", "portal:"),
  });

  test("is never copied, wherever it lies and however it is named", async () => {
    await fc.assert(
      fc.asyncProperty(place, async ({ manager, base, name, folder, isNamed, protocol }) => {
        const [root, into] = [newFolder(), newFolder()];
        const up = base === "" ? "./" : "../";
        const local = isNamed ? join(folder, name) : "vendor";
        const path = join(base, "package.json");
        writeFiles(root, {
          [join(folder, name)]: "evil",
          "vendor/index.js": "",
          [path]: json({ dependencies: { a: `${protocol}${up}${local}` } }),
        });
        const manifests = await readManifests({ root, base, manager }, new SourceFiles(root));
        await writeManifests(manifests, into);
        const files = readdirSync(into, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
        const evil = files.filter((one) => readFileSync(join(one.parentPath, one.name), "utf8") === "evil");
        expect(evil.map((one) => one.name)).toEqual([]);
        if (!isNamed) expect(existsSync(join(into, "vendor/index.js"))).toBe(true);
      }),
    );
  });
});

/** Makes a repository with these files, and returns its address as a dependency. */
function repository(files: Files): string {
  const root = newFolder();
  writeFiles(root, files);
  if (existsSync(join(root, "evil.sh"))) chmodSync(join(root, "evil.sh"), 0o755);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@x", ...args], { cwd: root });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "x");
  return `git+file://${root}`;
}

test("a package of the source with too many files is named", async () => {
  const root = newFolder();
  const files = Object.fromEntries(Array.from({ length: 5_001 }, (_, number) => [`vendor/${number}`, ""]));
  writeFiles(root, { "package.json": json({ dependencies: { vendor: "file:./vendor" } }), ...files });
  const manifests = await readManifests({ root, base: "", manager: "npm" }, new SourceFiles(root));
  await expect(keyOf(manifests, "")).rejects.toThrow("vendor holds more than 5,000 files");
});

describe("an install without scripts", () => {
  const { npm, environment } = findNpm();
  const tools = createTools({
    npm,
    environment,
    folder: join(process.cwd(), "node_modules/.cache/builds/tools"),
    network: {},
  });

  /** Runs an install and returns whether foreign code ran, which would have made a file. */
  const runs = async (manager: Manager, files: (evil: string) => Files): Promise<{ ran: boolean; output: string }> => {
    const [tree, folder] = [newFolder(), newFolder()];
    const marker = join(folder, "ran");
    writeFiles(tree, files(marker));
    const found = manager.version === undefined ? undefined : packageOf(manager, process);
    const main =
      found === undefined
        ? npm
        : join(await tools.package(found.name, manager.version ?? "", newContext()), found.main);
    const { args, env } = installCommand(
      manager,
      { frozen: false, dev: false, members: [] },
      { cache: join(folder, "cache") },
    );
    const path = [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
    const all = { PATH: path, HOME: folder, CI: "true", NODE_ENV: "production", ...env } as const;
    const done = spawnSync(process.execPath, [main, ...args], { cwd: tree, env: all, encoding: "utf8" });
    return { ran: existsSync(marker), output: `${done.status} ${done.stdout}${done.stderr}` };
  };
  const touch = (marker: string): string => `require("fs").writeFileSync(${JSON.stringify(marker)}, "")\n`;
  const manifest = (name: string, url: string, more: object = {}): string =>
    json({ name, version: "1.0.0", dependencies: { [`${name}-inner`]: url }, ...more });
  const prepared = { scripts: { prepare: "node evil.js" } };

  const npmCases: [string, (marker: string) => Files][] = [
    [
      "its git",
      (marker) => {
        const inner = repository({ "package.json": json({ name: "a-inner", version: "1.0.0" }) });
        const outer = repository({
          "package.json": manifest("a", inner, prepared),
          ".npmrc": "git=./evil.sh\n",
          "evil.sh": `#!/bin/sh\ntouch ${marker}\nexec git "$@"\n`,
          "evil.js": touch(marker),
        });
        return { "package.json": manifest("top", outer) };
      },
    ],
    [
      "options of Node.js",
      (marker) => {
        const inner = repository({
          "package.json": json({ name: "a-inner", version: "1.0.0", ...prepared }),
          "evil.js": touch(marker),
        });
        const outer = repository({
          "package.json": manifest("a", inner, prepared),
          ".npmrc": "node-options=--require=./evil.js\n",
          "evil.js": "",
        });
        return { "package.json": manifest("top", outer) };
      },
    ],
  ];
  test.each(npmCases)(
    "by npm runs no code of a repository that names %s",
    async (_, files) => {
      const { ran, output } = await runs({ name: "npm" }, files);
      expect({ ran, output }).toEqual({ ran: false, output: expect.stringMatching(/^0 /) });
    },
    INSTALL_MS,
  );

  test(
    "by yarn 1 runs no yarn that settings name, and no code of a repository",
    async () => {
      const yarn = { name: "yarn", version: "1.22.22" } as const;
      const path = await runs(yarn, (marker) => ({
        "package.json": json({ name: "x" }),
        ".yarnrc": 'yarn-path "./evil.js"\n',
        "evil.js": touch(marker),
      }));
      expect(path).toEqual({ ran: false, output: expect.stringMatching(/^0 /) });
      const prepares = await runs(yarn, (marker) => {
        const files = {
          ".yarnrc": "ignore-scripts false\n",
          ".npmrc": "ignore-scripts=false\n",
          "evil.js": touch(marker),
        };
        return {
          "package.json": manifest(
            "x",
            repository({ "package.json": json({ name: "x-inner", version: "1.0.0", ...prepared }), ...files }),
          ),
        };
      });
      expect(prepares).toEqual({ ran: false, output: expect.stringMatching(/^0 /) });
    },
    INSTALL_MS,
  );
});

describe("yarn, with a package.json that allows the scripts of one package", () => {
  const { install } = newInstaller(undefined, undefined, { fence });
  const { installed } = newInstalled(install);
  const about = json({ name: "thing", version: "1.0.0", scripts: { postinstall: "echo > made" } });
  const entries = Object.entries({ "package.json": about, "index.js": "" });
  const archive = tarGz(entries.map(([name, body]) => ({ name: `package/${name}`, body })));
  const code: Files = {
    "graphlib.json": json({ graphs: { a: "./a.mjs:graph" } }),
    "a.mjs": "export const graph = 1;\n",
  };

  test.runIf(fence).each(["4.18.1", "3.8.7"])(
    "runs them only where scripts may run: %s",
    async (version) => {
      const files: Files = {
        ...code,
        "vendor/thing.tgz": archive,
        "package.json": json({
          name: "x",
          packageManager: `yarn@${version}`,
          dependencies: { thing: "file:./vendor/thing.tgz" },
          dependenciesMeta: { thing: { built: true } },
        }),
      };
      for (const scripts of [false, true]) {
        const { folder } = fetchedApp(undefined, files);
        await installed({ root: folder, folder }, { scripts });
        expect(readdirSync(join(folder, "node_modules/thing")).includes("made")).toBe(scripts);
      }
    },
    INSTALL_MS,
  );

  test("is not started without a lockfile and a fence, because it is not known what it packs", async () => {
    const { failureOf } = newInstalled(newInstaller().install);
    const files = {
      ...code,
      "package.json": json({ name: "x", packageManager: "yarn@4.18.1", dependencies: { "is-odd": "3.0.1" } }),
    };
    expect(await failureOf(files)).toEqual({
      message: "yarn would run scripts of indirect dependencies from git, if there are any",
      file: "package.json",
      fix: "Commit yarn.lock, which lists them, or install bubblewrap on the server's machine",
    });
  });

  test(
    "accepts a lockfile that repeats this",
    async () => {
      const dependenciesMeta = { "is-odd": { built: true } };
      const lock = YARN_4.replace(
        /(is-odd: "npm:3.0.1"\n)(?! {2}checksum)/,
        "$1  dependenciesMeta:\n    is-odd:\n      built: true\n",
      );
      const files = { ...ODD_FILES, "package.json": odd({ dependenciesMeta }), "yarn.lock": lock };
      const { folder } = fetchedApp(undefined, files);
      await installed({ root: folder, folder });
      expect(existsSync(join(folder, "node_modules/is-odd"))).toBe(true);
    },
    INSTALL_MS,
  );
});
