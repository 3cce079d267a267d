import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PackageManager } from "../../../lib/protocol/preflight.ts";
import { isSameYarnLock, readLock } from "../../../lib/rules/packages/lockfile.ts";

const npm = JSON.stringify({
  lockfileVersion: 3,
  packages: {
    "": { dependencies: { "is-odd": "^3.0.0" } },
    "node_modules/is-odd": { version: "3.0.1" },
    "node_modules/next": { version: "2.0.0-rc.1" },
    "node_modules/tool": { version: "1.2.3", dev: true },
    "apps/a/node_modules/is-odd": { version: "2.0.0" },
  },
});
const pnpm = `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      is-odd:
        specifier: ^3.0.0
        version: 3.0.1
    devDependencies:
      '@scope/tool':
        specifier: 1.2.3
        version: 1.2.3(react@19.0.0)

  apps/a:
    dependencies:
      is-odd:
        specifier: ^2.0.0
        version: 2.0.0

packages:

  is-number@6.0.0:
    resolution: {integrity: sha512-x}
`;
const pnpm6 = `lockfileVersion: '6.0'

dependencies:
  is-odd:
    specifier: ^3.0.0
    version: 3.0.1

packages:

  /is-odd@3.0.1:
    dev: false
`;
const classic = `# yarn lockfile v1


"@scope/tool@1.2.3", "@scope/tool@^1.0.0":
  version "1.2.3"
  resolved "x"

is-odd@^3.0.0:
  version "3.0.1"
  dependencies:
    is-number "^6.0.0"
`;
const berry = `__metadata:
  version: 8
  cacheKey: 10c0

"@scope/tool@npm:1.2.3, @scope/tool@npm:^1.0.0":
  version: 1.2.3
  resolution: "@scope/tool@npm:1.2.3"

"is-odd@npm:^3.0.0":
  version: 3.0.1
  resolution: "is-odd@npm:3.0.1"
`;
const bun = `{
  "lockfileVersion": 1,
  "workspaces": {
    "": { "name": "x", "dependencies": { "is-odd": "^3.0.0", }, },
    "apps/a": { "name": "@x/a", "dependencies": { "is-odd": "^2.0.0", }, },
  },
  "packages": {
    "is-odd": ["is-odd@3.0.1", "", {}, "sha512-x"],
    "@x/a/is-odd": ["is-odd@2.0.0", "", {}, "sha512-x"],
  },
}
`;

describe.each<[PackageManager, string, string]>([
  ["npm", "npm", npm],
  ["pnpm", "pnpm", pnpm],
  ["pnpm", "pnpm 8", pnpm6],
  ["yarn", "yarn 1", classic],
  ["yarn", "yarn 4", berry],
  ["bun", "bun", bun],
])("a lockfile of %s (%s)", (manager, _, text) => {
  const lock = readLock(manager, text, "");

  test("has the ranges that package.json lists, and no others", () => {
    expect(lock?.has("is-odd", "^3.0.0")).toBe(true);
    expect(lock?.has("is-odd", "^4.0.0")).toBe(false);
    expect(lock?.has("gone", "^1.0.0")).toBe(false);
  });

  test("gives the installed version", () => {
    expect(lock?.version("is-odd", "^3.0.0")).toBe("3.0.1");
    expect(lock?.version("gone", "^3.0.0")).toBeUndefined();
  });

  test("states that a package is missing only when its name is nowhere in the text", () => {
    expect(lock?.installs("is-odd")).not.toBe(false);
    expect(lock?.installs("gone")).toBe(false);
    expect(lock?.installs("odd")).toBe(false);
  });
});

test("a member of a workspace is read from its own part", () => {
  expect(readLock("pnpm", pnpm, "apps/a")?.has("is-odd", "^2.0.0")).toBe(true);
  expect(readLock("npm", npm, "apps/a")?.version("is-odd", "^2.0.0")).toBe("2.0.0");
  expect(readLock("bun", bun, "apps/a")?.version("is-odd", "^2.0.0")).toBe("2.0.0");
  expect(readLock("npm", npm, "apps/b")?.version("is-odd", "^3.0.0")).toBe("3.0.1");
  expect(readLock("pnpm", pnpm, "apps/gone")).toBeUndefined();
});

test("packages for development are not installed, and prereleases are not compared", () => {
  expect(readLock("npm", npm, "")?.installs("tool")).toBe(false);
  expect(readLock("pnpm", pnpm, "")?.installs("@scope/tool")).toBeUndefined();
  expect(readLock("npm", npm, "")?.has("next", "^1.0.0")).toBeUndefined();
  expect(readLock("pnpm", pnpm, "")?.version("@scope/tool", "1.2.3")).toBe("1.2.3");
});

test("in a yarn.lock the range selects one of several versions, and a single version satisfies any range", () => {
  const two = `${classic}\nis-odd@^2.0.0:\n  version "2.0.0"\n`;
  expect(readLock("yarn", two, "")?.version("is-odd", "^2.0.0")).toBe("2.0.0");
  expect(readLock("yarn", two, "")?.version("is-odd", "catalog:")).toBeUndefined();
  expect(readLock("yarn", berry, "")?.version("is-odd", "catalog:")).toBe("3.0.1");
});

test("two yarn.lock with the same versions are equal, in any format", () => {
  expect(isSameYarnLock(berry, berry.replace("version: 8", "version: 10"))).toBe(true);
  expect(isSameYarnLock(berry, berry.replace("  version: 3.0.1", "  version: 3.0.2"))).toBe(false);
  expect(isSameYarnLock(berry, `${berry}\n"new@npm:1":\n  version: 1.0.0\n`)).toBe(false);
});

test("any text can be read without throwing", () => {
  const manager = fc.constantFrom<PackageManager>("npm", "pnpm", "yarn", "bun");
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc.constantFrom(npm, pnpm, classic, berry, bun),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(manager, texts, fc.nat(400), fc.string(), (name, text, cut, member) => {
      const lock = readLock(name, text.slice(cut), member);
      lock?.has("is-odd", "^3.0.0");
      lock?.installs("is-odd");
      lock?.version("is-odd", "^3.0.0");
    }),
    { numRuns: 500 },
  );
});
