import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findNpm } from "../../lib/program-env.ts";
import { fetchedApp, type Files, newContext, newFolder, removeFolders, writeFiles } from "../support/built-apps.ts";
import { odd, ODD_FILES, YARN_4 } from "../support/odd-package.ts";
import { fence, INSTALL_MS, newInstalled, newInstaller } from "../support/built-packages.ts";
import { servePackages } from "../support/package-registry.ts";
import { killWorkers } from "../support/worker-process.ts";

afterAll(() => {
  killWorkers();
  removeFolders();
});

const { home, install } = newInstaller();
const { installed, failureOf } = newInstalled(install);

const packageFolders = () => readdirSync(join(home, "packages"));
const json = (value: object) => JSON.stringify(value, null, 2);

describe("install scripts", () => {
  const MAKE = `
    const { readFileSync, writeFileSync } = require("fs");
    const read = (path) => { try { return readFileSync(path, "utf8"); } catch (error) { return error.code; } };
    const { HOME, INIT_CWD } = process.env;
    const files = [HOME + "/.npmrc", HOME + "/.yarnrc.yml", INIT_CWD + "/.npmrc", INIT_CWD + "/../.npmrc"].map(read);
    writeFileSync(__dirname + "/made.json", JSON.stringify({ env: process.env, files, node: process.version }));
  `;
  /** A package with an install script, as it would come from a registry. */
  const archive = (() => {
    const folder = newFolder();
    const about = json({ name: "thing", version: "1.0.0", scripts: { postinstall: "node make.js" } });
    writeFiles(folder, { "package/package.json": about, "package/make.js": MAKE, "package/index.js": "" });
    execFileSync("tar", ["-czf", "thing.tgz", "package"], { cwd: folder });
    return readFileSync(join(folder, "thing.tgz"));
  })();
  const files = (packageManager: string): Files => ({
    ...ODD_FILES,
    "odd.mjs": "export const graph = 1;\n",
    "vendor/thing.tgz": archive,
    "package.json": json({
      name: "x",
      private: true,
      packageManager,
      dependencies: { thing: "file:./vendor/thing.tgz" },
    }),
    ".npmrc": "//registry.example/:_authToken=pr0ject-token\n",
  });
  /** An installer with a registry's token and a secret in its environment. */
  const operator = () => {
    const userconfig = join(newFolder(), "npmrc");
    writeFiles(join(userconfig, ".."), { npmrc: "//registry.example/:_authToken=s3rver-token\n" });
    const environment = { ...findNpm().environment, npm_config_userconfig: userconfig, PLATFORM_SECRET: "s3cret" };
    return newInstaller(environment, {}, { fence }).install;
  };
  const fenced = newInstaller(undefined, {}, { fence }).install;

  // Without a fence, yarn 4 needs a lockfile.
  test.each(["npm@11.6.2", "pnpm@10.34.9", "yarn@1.22.22", ...(fence ? ["yarn@4.18.1"] : [])])(
    "of packages run under %s only when allowed, and without access to tokens",
    async (packageManager) => {
      const quiet = fetchedApp(undefined, files(packageManager));
      await installed(quiet, { with: fenced });
      expect(existsSync(join(quiet.folder, "node_modules/thing/index.js"))).toBe(true);
      expect(existsSync(join(quiet.folder, "node_modules/thing/made.json"))).toBe(false);

      const loud = fetchedApp(undefined, files(packageManager));
      await installed(loud, { scripts: true, with: operator() });
      const made = readFileSync(join(loud.folder, "node_modules/thing/made.json"), "utf8");
      expect(made).not.toMatch(/s3rver-token|pr0ject-token|s3cret/);
      expect(JSON.parse(made)).toMatchObject({ node: process.version });
    },
    INSTALL_MS,
  );

  test(
    "that fail are reported with the package's name, and nothing is kept",
    async () => {
      const before = packageFolders();
      const folder = newFolder();
      const about = json({ name: "thing", version: "1.0.0", scripts: { postinstall: "exit 3" } });
      writeFiles(folder, { "package/package.json": about });
      execFileSync("tar", ["-czf", "thing.tgz", "package"], { cwd: folder });
      const broken = { ...files("npm@11.6.2"), "vendor/thing.tgz": readFileSync(join(folder, "thing.tgz")) };
      expect(await failureOf(broken, { scripts: true })).toMatchObject({
        message: 'The install script of "thing" failed',
      });
      expect(packageFolders()).toEqual(before);
    },
    INSTALL_MS,
  );
});

describe("an install that fails says what to correct, and leaves nothing:", () => {
  const LOCK = JSON.parse(readFileSync(new URL("apps/monorepo/package-lock.json", import.meta.url), "utf8")) as {
    packages: Record<string, { integrity?: string }>;
  };
  const { "node_modules/is-odd": isOdd, "node_modules/is-odd/node_modules/is-number": isNumber } = LOCK.packages;
  const locked = (packages: object) =>
    json({
      name: "x",
      lockfileVersion: 3,
      requires: true,
      packages: { "": { name: "x", dependencies: { "is-odd": "3.0.1" } }, ...packages },
    });
  test.each<[string, Files, object]>([
    [
      "a missing package",
      { "package.json": json({ dependencies: { "is-odd": "3.0.1", "@graphlib-tests/not-there": "^1.0.0" } }) },
      { message: 'There is no package "@graphlib-tests/not-there"', file: "package.json", line: 4 },
    ],
    [
      "a missing version",
      { "package.json": json({ dependencies: { "is-odd": "^99.0.0" } }) },
      { message: 'There is no version ^99.0.0 of "is-odd"', file: "package.json", line: 3 },
    ],
    [
      "versions that conflict",
      { "package.json": json({ dependencies: { react: "19.0.0", "use-sync-external-store": "1.2.0" } }) },
      { message: expect.stringMatching(/^"use-sync-external-store" needs react /), file: "package.json", line: 4 },
    ],
    [
      "an outdated lockfile",
      { "package.json": odd(), "package-lock.json": locked({}) },
      { message: "package-lock.json does not match package.json: it has no is-odd@3.0.1", file: "package-lock.json" },
    ],
    [
      "contents that differ from the lockfile",
      {
        "package.json": odd(),
        "package-lock.json": locked({
          "node_modules/is-odd": { ...isOdd, integrity: `sha512-${"A".repeat(86)}==` },
          "node_modules/is-number": isNumber,
        }),
      },
      { message: "What the registry sent is not what package-lock.json has", file: "package-lock.json" },
    ],
    [
      "a registry that can't be reached",
      { "package.json": odd(), ".npmrc": "registry=http://127.0.0.1:9/\n" },
      { message: "The registry can't be reached (ECONNREFUSED)" },
    ],
    [
      "yarn with an outdated lockfile",
      { "package.json": odd({ dependencies: { "is-odd": "3.0.0" } }), "yarn.lock": YARN_4 },
      { message: "yarn.lock does not match package.json", file: "yarn.lock" },
    ],
    [
      "a missing version of a package manager",
      { "package.json": odd({ packageManager: "pnpm@0.0.999" }) },
      { message: expect.stringMatching(/^pnpm@0\.0\.999 could not be installed: There is no version/) },
    ],
  ])(
    "%s",
    async (_, files, expected) => {
      const before = packageFolders();
      expect(await failureOf({ ...ODD_FILES, ...files })).toMatchObject({ ...expected, fix: expect.any(String) });
      expect(packageFolders()).toEqual(before);
    },
    INSTALL_MS,
  );

  test.each(["npm@11.6.2", "pnpm@10.34.9", "yarn@1.22.22"])(
    "a version whose archive is missing, under %s",
    async (packageManager) => {
      const registry = await servePackages({ "@acme/deep": null });
      const settings = { ".npmrc": `registry=${registry.url}\n`, ".yarnrc": `registry "${registry.url}"\n` };
      const dependencies = { "@acme/deep": "1.0.0" };
      const files = {
        ...ODD_FILES,
        ...settings,
        "package.json": json({ private: true, packageManager, dependencies }),
      };
      const context = newContext();
      const failure = await failureOf(files, { context });
      await registry.close();
      const message = 'The registry has no archive of "@acme/deep" 1.0.0';
      expect(failure).toMatchObject({ message, file: "package.json", line: 5 });
      expect(context.lines.join("\n")).not.toMatch(/node_modules\/\.cache/);
    },
    INSTALL_MS,
  );

  test(
    "an aborted install",
    async () => {
      const before = packageFolders();
      const abort = new AbortController();
      const files = { ...ODD_FILES, "package.json": json({ dependencies: { "is-odd": "^3.0.0", react: "19.0.0" } }) };
      const installing = installed(fetchedApp(undefined, files), { signal: abort.signal });
      const begun = async () => {
        while (packageFolders().length === before.length) await new Promise((resolve) => setImmediate(resolve));
      };
      await Promise.race([begun(), installing]);
      abort.abort("enough");
      await expect(installing).rejects.toBe("enough");
      expect(packageFolders()).toEqual(before);
    },
    INSTALL_MS,
  );
});
