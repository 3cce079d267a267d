import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Version } from "../../../lib/protocol/versions.ts";
import { confinedVariables, permissionFlags } from "../../../lib/rules/workers/confinement.ts";
import { residentLimit, watchResident } from "../../../lib/rules/workers/resident-memory.ts";

const version = fc.tuple(fc.integer({ min: 18, max: 30 }), fc.integer({ min: 0, max: 30 }), fc.nat(20));
const paths = fc.array(fc.constantFrom<string[]>("/a", "/b", "/b/c", "/bc", "/d"));
const settings = { childProcesses: fc.boolean(), addons: fc.boolean() };

describe("flags of the permission model", () => {
  test("name the paths that may be read and written, and no others", () => {
    fc.assert(
      fc.property(version, fc.record({ read: paths, write: paths, ...settings }), (node, confinement) => {
        const flags = permissionFlags(node, confinement);
        if (node[0] < 20) expect(flags).toEqual([]);
        if (node[0] < 20) return;
        const named = (kind: string): string[] =>
          flags.filter((flag) => flag.startsWith(`--allow-fs-${kind}=`)).map((flag) => flag.split("=")[1] ?? "");
        for (const kind of ["read", "write"] as const) {
          const allowed = named(kind);
          const covers = (path: string): boolean => allowed.some((one) => `${path}/`.startsWith(`${one}/`));
          expect(confinement[kind].every(covers)).toBe(true);
          expect(allowed.every((path) => confinement[kind].includes(path))).toBe(true);
          expect(new Set(allowed).size).toBe(allowed.length);
        }
        expect(flags.includes("--allow-child-process")).toBe(confinement.childProcesses);
        expect(flags.includes("--allow-addons")).toBe(confinement.addons);
      }),
    );
  });

  test.each<[Version, string]>([
    [[20, 20, 2], "--experimental-permission"],
    [[22, 12, 0], "--experimental-permission"],
    [[22, 13, 0], "--permission"],
    [[23, 4, 0], "--experimental-permission"],
    [[23, 5, 0], "--permission"],
    [[24, 0, 0], "--permission"],
  ])("of Node.js %j begin with %s", (node, flag) => {
    expect(permissionFlags(node, { read: [], write: [], childProcesses: false, addons: false })[0]).toBe(flag);
  });

  test("allow threads where processes are allowed, and where Node's hooks need one", () => {
    const threads = (node: Version, childProcesses: boolean): boolean =>
      permissionFlags(node, { read: [], write: [], childProcesses, addons: false }).includes("--allow-worker");
    expect(threads([24, 9, 0], true)).toBe(true);
    expect(threads([24, 9, 0], false)).toBe(false);
    expect(threads([22, 15, 0], false)).toBe(false);
    expect(threads([22, 14, 0], false)).toBe(true);
    expect(threads([20, 20, 0], false)).toBe(true);
  });

  test("turn node:sqlite off, which opens any file, in versions that have it and where no addon is allowed", () => {
    const without = (node: Version, addons: boolean): boolean =>
      permissionFlags(node, { read: [], write: [], childProcesses: false, addons }).includes(
        "--no-experimental-sqlite",
      );
    expect(without([24, 9, 0], false)).toBe(true);
    expect(without([24, 9, 0], true)).toBe(false);
    expect(without([20, 20, 0], false)).toBe(false);
  });
});

describe("variables of a deployment", () => {
  test("are kept, except for those that would undo the confinement", () => {
    expect(
      confinedVariables({
        A: "1",
        NODE_OPTIONS: "--max-http-header-size=1 --allow_fs_read=*",
        LD_PRELOAD: "/x.so",
        LD_LIBRARY_PATH: "/x",
        OPENSSL_CONF: "/x.cnf",
      }),
    ).toEqual({ kept: { A: "1" }, dropped: ["NODE_OPTIONS", "LD_PRELOAD", "LD_LIBRARY_PATH", "OPENSSL_CONF"] });
    const harmless = { NODE_OPTIONS: "--max-http-header-size=65536", LOAD: "1", PATH: "/bin" };
    expect(confinedVariables(harmless)).toEqual({ kept: harmless, dropped: [] });
  });

  test.each([
    String.raw`"--a\llow-fs-read=*" "--a\llow-child-process"`,
    String.raw`"--re\quire" ./x.cjs`,
    "--import=./x.mjs",
    "-r ./x.cjs",
    "--inspect=0.0.0.0:9229",
    "--cpu-prof --cpu-prof-dir=/srv",
    "--redirect-warnings=/srv/x",
    "--report-on-signal --report-directory=/srv",
    "--env-file=/etc/passwd",
    "--max-http-header-size=1 --experimental-loader=./x.mjs",
  ])("lose NODE_OPTIONS that widen it, in any spelling: %s", (NODE_OPTIONS) => {
    expect(confinedVariables({ NODE_OPTIONS }).dropped).toEqual(["NODE_OPTIONS"]);
  });

  test.each(["", "--enable-source-maps  --unhandled-rejections=warn", "--max_old_space_size=256 --no-warnings"])(
    "keep NODE_OPTIONS that only change how code runs: '%s'",
    (NODE_OPTIONS) => {
      expect(confinedVariables({ NODE_OPTIONS }).kept).toEqual({ NODE_OPTIONS });
    },
  );

  test("lose what a shell would run", () => {
    const names = ["BASH_FUNC_ulimit%%", "BASH_ENV", "SHELLOPTS", "PS4", "x()"];
    const { kept, dropped } = confinedVariables(
      Object.fromEntries([...names, "ENV", "a.b-c"].map((name) => [name, "1"])),
    );
    expect([Object.keys(kept), dropped]).toEqual([["ENV", "a.b-c"], names]);
  });

  test("are each either kept or dropped", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (variables) => {
        const { kept, dropped } = confinedVariables(variables);
        expect([...Object.keys(kept), ...dropped].toSorted()).toEqual(Object.keys(variables).toSorted());
      }),
    );
  });
});

describe("resident memory", () => {
  test("is too much only when it was over the limit three times in a row", () => {
    fc.assert(
      fc.property(fc.integer({ min: 64, max: 4096 }), fc.array(fc.boolean()), (memoryMb, overs) => {
        const see = watchResident(memoryMb);
        const limit = residentLimit(memoryMb);
        overs.forEach((over, index) => {
          const row = index >= 2 && overs.slice(index - 2, index + 1).every(Boolean);
          expect(see(over ? limit + 1 : limit) !== undefined).toBe(row);
        });
      }),
    );
  });

  test("may exceed the heap's limit, because a process holds more than its heap", () => {
    expect(residentLimit(512)).toBe(1024 * 1024 * 1024);
  });
});
