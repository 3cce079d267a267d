import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readLock } from "../../../lib/rules/packages/lockfile.ts";
import { narrowedPnpmLock } from "../../../lib/rules/packages/pnpm-lock.ts";

const OWN = `---
lockfileVersion: '9.0'

importers:

  .:
    packageManagerDependencies:
      pnpm:
        specifier: 12.20.0
        version: 12.20.0

packages:

  pnpm@12.20.0:
    resolution: {integrity: sha512-x}

---
`;
const HEAD = "lockfileVersion: '9.0'\n\nsettings:\n  autoInstallPeers: true\n\nimporters:\n\n";
const importer = (path: string): string =>
  `  ${path}:\n    dependencies:\n      is-odd:\n        specifier: ^3.0.0\n        version: 3.0.0\n\n`;
const PACKAGES = "packages:\n\n  is-odd@3.0.0:\n    resolution: {integrity: sha512-x}\n";
const lockOf = (paths: readonly string[]): string => `${HEAD}${paths.map(importer).join("")}${PACKAGES}`;

describe("a lockfile of pnpm for some members of a workspace", () => {
  test("has these members, listed members without packages, and no others", () => {
    const text = lockOf([".", "apps/agent", "'apps/@web'", "packages/config", "packages/shared"]);
    const kept = new Set(["apps/agent", "packages/shared"]);
    const bare = "  .: {}\n\n";
    const config = "  packages/config: {}\n\n";
    expect(narrowedPnpmLock(text, kept, new Set(["", "packages/config"]))).toBe(
      `${HEAD}${bare}${importer("apps/agent")}${config}${importer("packages/shared")}${PACKAGES}`,
    );
  });

  test("is the same text where all members are kept", () => {
    const all = { has: () => true } as unknown as ReadonlySet<string>;
    const line = fc.constantFrom("importers:", "  a:", "  'b': {}", "    x: 1", "packages:", "---", "", "\r", "  :");
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.string())), (lines) => {
        const text = lines.join("\n");
        expect(narrowedPnpmLock(text, all, new Set())).toBe(text);
      }),
    );
  });

  test("has the same versions as the whole for members that are kept, and none for others", () => {
    const path = fc.stringMatching(/^[a-z]{1,3}(?:\/[a-z]{1,3})?$/);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 6 }), fc.uniqueArray(path, { maxLength: 6 }), (paths, more) => {
        const kept = new Set([...paths.slice(1), ...more]);
        const lock = narrowedPnpmLock(lockOf(paths), kept, new Set());
        for (const one of paths)
          expect(readLock("pnpm", lock, one)?.version("is-odd", "^3.0.0")).toBe(kept.has(one) ? "3.0.0" : undefined);
      }),
    );
  });

  test("keeps the document about pnpm itself, which is not the project's", () => {
    const text = OWN + lockOf([".", "a", "b"]);
    expect(narrowedPnpmLock(text, new Set(["a"]), new Set([""]))).toBe(
      `${OWN}${HEAD}  .: {}\n\n${importer("a")}${PACKAGES}`,
    );
    expect(readLock("pnpm", text, "")?.has("is-odd", "^3.0.0")).toBe(true);
  });

  test("writes a member without packages in the form of its lockfile version", () => {
    const text =
      "lockfileVersion: 5.4\n\nimporters:\n\n  .:\n    specifiers:\n      a: 1.0.0\n\n  b:\n    specifiers: {}\n";
    expect(narrowedPnpmLock(text, new Set(["b"]), new Set([""]))).toBe(
      "lockfileVersion: 5.4\n\nimporters:\n\n  .:\n    specifiers: {}\n\n  b:\n    specifiers: {}\n",
    );
  });
});
