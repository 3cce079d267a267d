/** Tests that the files of a build are the same on another machine, with real packages and a home for each machine. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { folderBlobs } from "../../lib/drivers/blobs/folder.ts";
import { createNamedBlobs, type NamedBlobs } from "../../lib/drivers/blobs/named-blobs.ts";
import { sweepShared } from "../../lib/drivers/builds/forgotten-builds.ts";
import { createPackageCache } from "../../lib/drivers/builds/package-cache.ts";
import { packFolder, unpackFolder } from "../../lib/drivers/builds/packing.ts";
import { sharedBuilds } from "../../lib/drivers/builds/shared-builds.ts";
import { sharedPackages } from "../../lib/drivers/builds/shared-packages.ts";
import { createWorkFolders } from "../../lib/drivers/work-folders.ts";
import { platformShape } from "../../lib/drivers/sql/platform/shape.ts";
import { openSqlite } from "../../lib/drivers/sql/sqlite.ts";
import type { BuiltSource } from "../../lib/engine/ports/build-tools.ts";
import type { InstalledPackages } from "../../lib/engine/ports/builds.ts";
import { type Files, newContext, newFolder, removeFolders, writeFiles } from "../support/built-apps.ts";
import { INSTALL_MS, newInstaller, planOf } from "../support/built-packages.ts";

const never = new AbortController().signal;
const DAY_MS = 86_400_000;
let time = Date.UTC(2026, 10, 28);
let blobs: NamedBlobs;
let close: () => Promise<void>;
beforeAll(async () => {
  const db = await openSqlite(":memory:", platformShape);
  blobs = createNamedBlobs(db, folderBlobs(newFolder()), () => time);
  close = () => db.destroy();
});
afterAll(async () => {
  await close();
  removeFolders();
});

/** Returns the text of each file by its path, and null for each folder. */
function filesIn(root: string): Record<string, string | null> {
  const paths = readdirSync(root, { recursive: true }).map(String).toSorted();
  return Object.fromEntries(
    paths.map((path) => [path, statSync(join(root, path)).isFile() ? readFileSync(join(root, path), "utf8") : null]),
  );
}

describe("a folder that is packed", () => {
  const names = fc.stringMatching(/^[\w .äé@[\]()-]{1,20}$/).filter((name) => !/^(?:\.{1,2}| +)$/.test(name));
  const paths = fc.array(names, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const trees = fc.dictionary(paths, fc.string({ maxLength: 100 }), { maxKeys: 12 }).filter((files) => {
    const all = Object.keys(files);
    return !all.some((one) => all.some((other) => other.toLowerCase().startsWith(`${one.toLowerCase()}/`)));
  });

  test("is unpacked as it was, and equal files make an equal archive at any time", async () => {
    await fc.assert(
      fc.asyncProperty(trees, async (files) => {
        const [from, again, to, out] = [newFolder(), newFolder(), newFolder(), newFolder()];
        writeFiles(from, files);
        writeFiles(again, files);
        for (const path of Object.keys(files)) utimesSync(join(again, path), 1, 1);
        await packFolder(from, join(out, "a"), new Set(), never);
        await packFolder(again, join(out, "b"), new Set(), never);
        expect(readFileSync(join(out, "a")).equals(readFileSync(join(out, "b")))).toBe(true);
        async function* archive() {
          yield readFileSync(join(out, "a"));
        }
        await unpackFolder(archive(), to, never);
        expect(filesIn(to)).toEqual(filesIn(from));
      }),
      { numRuns: 40 },
    );
  });

  test("has no links, and nothing of what is left out; programs stay programs", async () => {
    const [from, to, out] = [newFolder(), newFolder(), newFolder()];
    writeFiles(from, { "run.sh": "#!/bin/sh\n", "inner/node_modules/a/index.js": "", "inner/empty/x": "" });
    rmSync(join(from, "inner/empty/x"));
    writeFiles(from, { " ": "a name that archives do not keep", "back\\slash": "another" });
    symlinkSync("/etc/passwd", join(from, "link"));
    symlinkSync(join(from, "inner"), join(from, "folder"));
    const { mode } = statSync(join(from, "run.sh"));
    await packFolder(from, join(out, "a"), new Set([join("inner", "node_modules")]), never);
    async function* archive() {
      yield readFileSync(join(out, "a"));
    }
    await unpackFolder(archive(), to, never);
    expect(filesIn(to)).toEqual({ "run.sh": "#!/bin/sh\n", inner: null, "inner/empty": null });
    expect(statSync(join(to, "run.sh")).mode).toBe(mode);
  });
});

/** A machine with a home of its own, which shares the blobs. */
function newMachine() {
  const logged: string[] = [];
  const log = (message: string): void => void logged.push(message);
  const logger = { warn: log, error: log };
  const { home, install } = newInstaller(undefined, {}, {}, (own) =>
    sharedPackages(createPackageCache(own), { blobs, work: createWorkFolders(newFolder()), logger }),
  );
  const files = sharedBuilds({ home, blobs, work: createWorkFolders(newFolder()), install, logger });
  return { home, install, files, logged };
}

const ids = { deployment_id: "d1", name: "bot", number: 1 };
const source = { type: "upload", upload_id: "u", folder: "" } as const;

/** Builds files on a machine as an application would be. */
async function build(machine: ReturnType<typeof newMachine>, files: Files): Promise<BuiltSource> {
  const root = await machine.files.newFolder(ids);
  writeFiles(root, files);
  const fetched = { root, folder: root };
  const how = { ...(await planOf(fetched)), scripts: false };
  const { key } = await machine.install(fetched, how, newContext());
  writeFiles(root, { ".graphlib/compiled/agent.js": "compiled" });
  const packages: InstalledPackages = { key, how };
  await machine.files.share(ids, fetched, packages, newContext());
  return { ...ids, source, packages };
}

describe("the files of a build", () => {
  const manifest = { private: true, type: "module", dependencies: { "is-number": "^7.0.0" } };
  const app = {
    "graphlib.json": JSON.stringify({ graphs: { agent: "./src/agent.js:graph" } }),
    "package.json": JSON.stringify(manifest),
    "src/agent.js": 'import "is-number";\nexport const graph = 1;',
  };

  test(
    "are the same on another machine, with the packages that were installed, although there is no lockfile",
    async () => {
      const [here, there] = [newMachine(), newMachine()];
      const built = await build(here, app);
      const was = await here.files.filesOf(built, never);
      const is = await there.files.filesOf(built, never);
      expect(is.root.startsWith(there.home)).toBe(true);
      expect(filesIn(is.root)).toEqual(filesIn(was.root));
      expect(existsSync(join(is.root, "node_modules/is-number/index.js"))).toBe(true);
      expect(readdirSync(join(there.home, "packages"))).toEqual([built.packages?.key]);
      // They are there now, and nothing is brought again.
      writeFiles(is.root, { "src/agent.js": "changed" });
      await there.files.filesOf(built, never);
      expect(readFileSync(join(is.root, "src/agent.js"), "utf8")).toBe("changed");
    },
    INSTALL_MS,
  );

  test(
    "are brought once for calls at the same time, and in place of the files of another build of that number",
    async () => {
      const [here, there] = [newMachine(), newMachine()];
      const built = await build(here, app);
      writeFiles(join(there.home, "deployments/bot/revisions/1"), { "src/old.js": "of a deployment that was deleted" });
      const all = await Promise.all([1, 2, 3].map(() => there.files.filesOf(built, never)));
      expect(existsSync(join(all[0]?.root ?? "", "src/old.js"))).toBe(false);
      expect(existsSync(join(all[0]?.root ?? "", "src/agent.js"))).toBe(true);
    },
    INSTALL_MS,
  );

  test(
    "are installed anew where their packages are gone, or were made for another platform",
    async () => {
      const [here, there] = [newMachine(), newMachine()];
      const built = await build(here, app);
      await blobs.drop((await blobs.list("packages/")).map(({ name }) => name));
      const { root } = await there.files.filesOf(built, never);
      expect(existsSync(join(root, "node_modules/is-number/index.js"))).toBe(true);
      const elsewhere = newMachine();
      const [blob] = await blobs.list("build/d1/");
      const packages = { ...(blob?.details.packages as object), platform: "sunos-sparc" };
      const changed: NamedBlobs = { ...blobs, find: async (name) => replaced(await blobs.find(name), packages) };
      const files = sharedBuilds({
        home: elsewhere.home,
        blobs: changed,
        work: createWorkFolders(newFolder()),
        install: elsewhere.install,
        logger: { warn: () => undefined, error: () => undefined },
      });
      const brought = await files.filesOf(built, never);
      expect(existsSync(join(brought.root, "node_modules/is-number/index.js"))).toBe(true);
      expect(readdirSync(join(elsewhere.home, "packages"))).not.toContain(built.packages?.key);
    },
    INSTALL_MS,
  );

  test(
    "that are removed on one machine are removed on the others, and so are packages that nobody uses",
    async () => {
      const [here, there] = [newMachine(), newMachine()];
      const built = await build(here, app);
      const { root } = await there.files.filesOf(built, never);
      await sweepShared(there.home, blobs, time);
      expect(existsSync(root)).toBe(true);
      await here.files.remove(ids);
      await expect(here.files.filesOf(built, never)).rejects.toThrow("The files of revision 1 are gone");
      time += 15 * DAY_MS;
      await sweepShared(there.home, blobs, time);
      await sweepShared(here.home, blobs, time);
      expect(existsSync(root)).toBe(false);
      expect(await blobs.list("")).toEqual([]);
    },
    INSTALL_MS,
  );

  test("that were built before the server shared them are stored when they are served", async () => {
    const [here, there] = [newMachine(), newMachine()];
    const alone: BuiltSource = { ...ids, deployment_id: "d2", name: "alone", source, packages: null };
    writeFiles(join(here.home, "deployments/alone/revisions/1"), { "agent.js": "alone" });
    await expect(there.files.filesOf(alone, never)).rejects.toThrow("The files of revision 1 are gone");
    await here.files.filesOf(alone, never);
    const { root } = await there.files.filesOf(alone, never);
    expect(readFileSync(join(root, "agent.js"), "utf8")).toBe("alone");
  });
});

function replaced(blob: Awaited<ReturnType<NamedBlobs["find"]>>, packages: object) {
  return blob?.name.startsWith("build/") ? { ...blob, details: { packages: { ...packages } } } : blob;
}
