import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  entryFile,
  type WorkspaceMember,
  mentionedMembers,
  narrowedTo,
  neededMembers,
} from "../../../lib/rules/packages/workspace.ts";

const member = (path: string, more: object = {}): WorkspaceMember => ({
  path,
  manifest: { name: `@x/${path}`, ...more },
});
const lists = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`@x/${name}`, "*"]));
const paths = (members: readonly WorkspaceMember[]): string[] => members.map(({ path }) => path);

const base = member("", { dependencies: { turbo: "1" }, overrides: { a: "1" }, workspaces: ["*"] });
const agent = member("agent", { dependencies: lists("shared"), devDependencies: lists("config") });
const shared = member("shared", { devDependencies: { tsup: "1", ...lists("tools") } });
const tools = member("tools", { dependencies: { esbuild: "1" }, devDependencies: lists("config") });
const config = member("config", { dependencies: { eslint: "1" } });
const web = member("web", { dependencies: { next: "1", ...lists("shared") } });
const all = [base, agent, config, shared, tools, web];

describe("members of a workspace", () => {
  test("come after the members that they need; those that are built also need their development packages", () => {
    expect(paths(neededMembers(all, [agent]))).toEqual(["shared", "agent"]);
    expect(paths(neededMembers(all, [agent], (one) => one === shared))).toEqual(["tools", "shared", "agent"]);
  });

  test("that are only listed stay, like the root, without the packages that they list", () => {
    expect(narrowedTo(all, new Set(["agent", "shared"]))).toEqual([
      {
        path: "",
        manifest: { name: "@x/", overrides: { a: "1" }, workspaces: ["agent", "config", "shared", "tools"] },
      },
      agent,
      member("config"),
      shared,
      member("tools"),
    ]);
  });

  test("that are kept do not change, and every member that they list is present", () => {
    const name = fc.constantFrom("a", "b", "c", "d", "e");
    const some = fc.array(name).map((names) => lists(...names));
    const one = fc.record({ dependencies: some, devDependencies: some, peerDependencies: some });
    const members = fc
      .tuple(one, one, one, one, one)
      .map((found) => found.map((more, at) => member("abcde"[at] ?? "", more)));
    fc.assert(
      fc.property(members, fc.uniqueArray(name), (found, kept) => {
        const selected = new Set<string>(kept);
        const narrowed = narrowedTo([member(""), ...found], selected);
        const whole = found.filter(({ path }) => selected.has(path));
        const same = narrowed.filter(({ path }) => selected.has(path));
        expect(same).toEqual(whole);
        const bare = mentionedMembers(narrowed, same);
        expect(bare.length).toBe(narrowed.length - 1 - whole.length);
        for (const { path, manifest } of bare) expect(manifest).toEqual({ name: `@x/${path}` });
        for (const { manifest } of narrowed) {
          const kinds = [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies];
          for (const one of kinds.flatMap((kind) => Object.keys(kind ?? {})))
            expect(paths(narrowed)).toContain(one.slice("@x/".length));
        }
      }),
    );
  });
});

test.each<[object, string | undefined]>([
  [{ main: "./dist/index.js" }, "dist/index.js"],
  [{ main: "lib/" }, "lib/"],
  [{ exports: "./dist/a.mjs", main: "b.js" }, "dist/a.mjs"],
  [{ exports: { ".": { types: "./a.d.ts", import: "./dist/a.mjs" }, "./b": "./dist/b.js" } }, "dist/a.mjs"],
  [{ exports: { "./package.json": "./package.json", "./client": { default: "./dist/client.js" } } }, "dist/client.js"],
  [{ exports: { "./*": { types: "./src/*.ts", default: "./dist/parts/*.js" } } }, "dist/parts/"],
  [{ exports: { "./*": "./*.js" } }, undefined],
  [{ exports: { ".": "./../out.js" } }, undefined],
  [{}, undefined],
])("the entry file of %o is %s", (manifest, file) => {
  expect(entryFile(manifest as WorkspaceMember["manifest"])).toBe(file);
});
