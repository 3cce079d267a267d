/** Links that foreign programs leave where the host works afterwards. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runInstallStep } from "../../lib/drivers/builds/install-step.ts";
import { removeLinks } from "../../lib/drivers/builds/links.ts";
import { readManifests, writeSettings } from "../../lib/drivers/builds/manifests.ts";
import { createPackageCache } from "../../lib/drivers/builds/package-cache.ts";
import { SourceFiles } from "../../lib/drivers/builds/source-files.ts";
import { probeFence } from "../../lib/drivers/fence/probe.ts";
import { StepFailure } from "../../lib/engine/ports/builds.ts";
import { newContext, newFolder, removeFolders, writeFiles } from "../support/built-apps.ts";

afterAll(removeFolders);

const quiet = (): void => undefined;

describe("a link left by foreign code", () => {
  const places = ["tree", "home", "cache"] as const;

  /** Makes a folder with a tree in it, and another folder elsewhere. */
  const setUp = () => {
    const [folder, elsewhere] = [newFolder(), newFolder()];
    writeFiles(folder, { "tree/node_modules/a/index.js": "", "cache/x": "" });
    writeFiles(elsewhere, { mine: "kept", ".npmrc": "mine" });
    symlinkSync("mine", join(elsewhere, "link"));
    return { folder, elsewhere, tree: join(folder, "tree") };
  };
  const untouched = (elsewhere: string): void => {
    expect(readdirSync(elsewhere).toSorted()).toEqual([".npmrc", "link", "mine"]);
    expect(["mine", ".npmrc"].map((name) => readFileSync(join(elsewhere, name), "utf8"))).toEqual(["kept", "mine"]);
  };

  test("is not written through: beside the tree", async () => {
    const { folder, elsewhere } = setUp();
    symlinkSync(join(elsewhere, "mine"), join(folder, "source-packages.json"));
    await removeLinks(folder, quiet);
    untouched(elsewhere);
    expect(readFileSync(join(folder, "source-packages.json"), "utf8")).toBe("[]");
  });

  test("is not written through: the size of packages", async () => {
    const { elsewhere } = setUp();
    const home = newFolder();
    const make = (folder: string): Promise<void> => {
      symlinkSync(join(elsewhere, "mine"), join(folder, ".graphlib-size"));
      return Promise.resolve();
    };
    await createPackageCache(home).use("key", newFolder(), new AbortController().signal, make, () => Promise.resolve());
    untouched(elsewhere);
    expect(lstatSync(join(home, "packages/key/.graphlib-size")).isFile()).toBe(true);
  });

  test("is not followed when files are removed: the tree itself", async () => {
    const { folder, elsewhere, tree } = setUp();
    rmSync(tree, { recursive: true });
    symlinkSync(elsewhere, tree);
    await expect(removeLinks(folder, quiet)).rejects.toThrow(StepFailure);
    untouched(elsewhere);
  });

  const replaced: [string, (tree: string, elsewhere: string) => void][] = [
    ["the folder of the application", (tree, to) => symlinkSync(to, join(tree, "app"))],
    ["the tree", (tree, to) => (rmSync(tree, { recursive: true }), symlinkSync(dirname(to), tree))],
    [
      "a folder above",
      (tree, to) => (
        mkdirSync(join(tree, "b")),
        symlinkSync(to, join(tree, "b/app")),
        symlinkSync("b/app", join(tree, "app"))
      ),
    ],
    ["nothing", () => undefined],
    ["a file", (tree) => writeFileSync(join(tree, "app"), "")],
  ];
  test.each(replaced)("keeps settings from being written: %s in place of a folder", async (_, replace) => {
    const { elsewhere, tree } = setUp();
    const root = newFolder();
    const base = "app";
    writeFiles(root, { "app/package.json": "{}", "app/.npmrc": "registry=https://example.com/\n" });
    const manifests = await readManifests({ root, base, manager: "npm" }, new SourceFiles(root));
    replace(tree, elsewhere);
    for (const withSecrets of [true, false]) {
      const failure: unknown = await writeSettings(manifests, tree, withSecrets, {}).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StepFailure);
      expect(String(failure)).toMatch(/script of a package/);
    }
    untouched(elsewhere);
  });

  const step = async (folder: string, isScripts: boolean, script: string, cache = join(folder, "cache")) => {
    const found = await probeFence({ path: "/usr/bin:/bin", hidden: [] });
    const fence = "fence" in found ? found.fence : undefined;
    const context = newContext();
    const registry = { plain: {}, secrets: {}, proxies: { direct: [] } };
    const network = { env: {}, password: "x", unreachable: [], relay: { socket: join(folder, "none"), port: 1 } };
    const command = { args: ["-c", script], env: {}, shown: "sh" };
    const program = { command: ["/bin/sh"] as const, folder: "/usr/bin" };
    const confinement = { fence };
    const means = { program, command, node: process.execPath, folder, base: "", cache, registry, network, confinement };
    const fenced = { ...means, network: { ...network, relay: undefined as never }, isScripts };
    return { code: await runInstallStep(fenced, context), lines: context.lines };
  };

  test.each(places)("keeps a step from starting: in place of %s", async (name) => {
    for (const isScripts of [false, true]) {
      const { folder, elsewhere } = setUp();
      rmSync(join(folder, name), { recursive: true, force: true });
      symlinkSync(elsewhere, join(folder, name));
      const script = `touch ${elsewhere}/poison`;
      await expect(step(folder, isScripts, script)).rejects.toThrow(/script of a package|EEXIST/);
      untouched(elsewhere);
    }
  });

  test.runIf(existsSync("/usr/bin/bwrap"))(
    "can't be made next to the tree, nor in place of a step's folders",
    async () => {
      for (const isScripts of [false, true]) {
        const { folder, elsewhere } = setUp();
        const names = [...places, "source-packages.json", ".graphlib-size"];
        const tries = names.map((name) => `rm -rf ../${name}; mv ../${name} ../moved; ln -sfn ${elsewhere} ../${name}`);
        const { code, lines } = await step(folder, isScripts, `${tries.join("; ")}; echo > made; echo > ../cache/made`);
        expect({ code, lines }).toEqual({ code: 0, lines: expect.any(Array) });
        expect(readdirSync(folder).toSorted()).toEqual(["cache", "tree"]);
        for (const name of ["cache", "tree"]) expect(existsSync(join(folder, name, "made"))).toBe(true);
        untouched(elsewhere);
      }
    },
  );
});
