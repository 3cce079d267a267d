import { join } from "node:path";
import { expect, test } from "vitest";
import lock from "../package-lock.json" with { type: "json" };

/** Licences that allow redistribution and linking with code of any licence. */
const FREE = new Set([
  "MIT",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "BlueOak-1.0.0",
  "Unlicense",
]);
/** Packages whose use is allowed by their licence under a condition, which docs/licences.md states. */
const EXCEPTIONS: Record<string, { packages: RegExp; why: string }> = {
  "OFL-1.1": { packages: /^@fontsource-variable\/geist/, why: "fonts of the console, as they are" },
  "CC-BY-4.0": { packages: /^caniuse-lite$/, why: "a table of browsers, read while the console is built" },
  "MPL-2.0": { packages: /^lightningcss(-|$)/, why: "runs while the console is built, unchanged" },
  "LGPL-3.0-or-later": {
    packages: /^@img\/sharp-/,
    why: "libvips, a library of its own that Next.js may load for images; the console has none, and it can be removed",
  },
};

/** Matches the suffix that names the system of a package. */
const SYSTEM = /-(?:libvips-)?(?:android|darwin|freebsd|linux|linuxmusl|wasm32|win32)\b.*$/;

interface Locked {
  license?: string;
  dev?: boolean;
  optionalDependencies?: Record<string, string>;
}

const packages = Object.entries(lock.packages as Record<string, Locked>).map(([path, locked]) => ({
  name: path.split("node_modules/").at(-1) ?? path,
  ...locked,
}));

/** Returns a package's licence. Packages for one system often state none; the one that lists them as optional does. */
function licenceOf({ name, license }: (typeof packages)[number]): string {
  const whole = packages.find(({ optionalDependencies = {} }) => Object.hasOwn(optionalDependencies, name));
  return license ?? whole?.license ?? "none";
}

/** All packages that an installation for production can have, on any system. */
const installed = packages
  .filter(({ name, dev }) => name !== "" && dev !== true)
  .map((one) => ({ name: one.name, license: licenceOf(one) }));

/** Returns whether one choice of `A OR B` is free. `A AND B` requires both. */
function isFree(license: string): boolean {
  const choices = license.replace(/^\(|\)$/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((one) => FREE.has(one)));
}

function isException(name: string, license: string): boolean {
  const parts = license.split(" AND ");
  return parts.every((part) => FREE.has(part) || EXCEPTIONS[part]?.packages.test(name) === true);
}

test("every package of an installation has an allowed licence", () => {
  const unknown = installed.filter(({ name, license }) => !isFree(license) && !isException(name, license));
  expect(unknown).toEqual([]);
});

test("docs/licences.md lists the licences", async () => {
  const all = new Set(installed.map(({ name, license }) => JSON.stringify([license, name])));
  const by = new Map<string, string[]>();
  for (const text of all) {
    const [license = "", name = ""] = JSON.parse(text) as string[];
    by.set(license, [...(by.get(license) ?? []), name]);
  }
  const lines = [...by]
    .toSorted(([a, one], [b, two]) => two.length - one.length || (a < b ? -1 : 1))
    .map(([license, names]) => {
      const kind = license.split(" AND ").find((part) => EXCEPTIONS[part]);
      const whole = [...new Set(names.map((name) => name.replace(SYSTEM, "")))].toSorted().join(", ");
      const why = kind === undefined ? "" : ` (${whole}: ${EXCEPTIONS[kind]?.why})`;
      return `- ${license}: ${names.length}${why}`;
    });
  const text = `# Licences of what is installed

Packages by licence, as \`package-lock.json\` names them, on all systems, without those for development alone. Made by
\`npx vitest run tests/licences.test.ts -u\`.

${lines.join("\n")}
`;
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, "../docs/licences.md"));
});
