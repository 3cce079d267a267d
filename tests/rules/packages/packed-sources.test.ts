import fc from "fast-check";
import { expect, test } from "vitest";
import { packedByLock, packedByManifest } from "../../../lib/rules/packages/packed-sources.ts";

const lock = (...resolutions: string[]): string =>
  ["__metadata:", "  version: 8", "", ...resolutions.flatMap((one) => [`"x":`, `  resolution: "${one}"`, ""])].join(
    "\n",
  );

test("packages of registries, of the source and of tarballs are not reported", () => {
  const plain = [
    "left-pad@npm:1.3.0",
    "@scope/a@npm:2.0.0-rc.1",
    "app@workspace:.",
    "b@file:./b#./b::hash=1&locator=app%40workspace%3A.",
    "c@https://example.com/c-1.0.0.tgz",
    "c@https://example.com/c-1.0.0.tgz::__archiveUrl=x",
    "d@patch:d@npm%3A1.0.0#./d.patch::version=1.0.0",
  ];
  expect(packedByLock(lock(...plain))).toBeUndefined();
  const ranges = [
    "^1.2.3",
    "~1 || >=2 <3",
    "*",
    "latest",
    "",
    "npm:left-pad@^1",
    "workspace:*",
    "file:../b",
    "catalog:",
  ];
  for (const range of ranges) expect(packedByManifest({ dependencies: { a: range } })).toBeUndefined();
});

test.each([
  "https://github.com/o/r.git#commit=0123456789abcdef",
  "git@github.com:o/r.git#commit=0123456789abcdef",
  "ssh://git@example.com/o/r#commit=01",
  "git+https://example.com/o/r#commit=01",
  "https://example.com/x.tgz#commit=01",
  "https://example.com/o/r",
  "exec:./make.js#./make.js::hash=1",
])("a package that is packed from its source, or made by a script, is reported: %s", (reference) => {
  expect(packedByLock(lock("left-pad@npm:1.3.0", `@scope/bad@${reference}`))).toEqual({ name: "@scope/bad", line: 8 });
});

test("a package.json that lists a repository is reported", () => {
  for (const range of [
    "o/r",
    "github:o/r",
    "git+ssh://git@example.com/o/r.git",
    "https://github.com/o/r",
    "exec:./x.js",
  ]) {
    expect(packedByManifest({ optionalDependencies: { bad: range } })).toEqual({ name: "bad" });
    expect(packedByManifest({ resolutions: { bad: range } })).toEqual({ name: "bad" });
  }
});

test("any input can be read without throwing", () => {
  fc.assert(
    fc.property(fc.string(), fc.object(), (text, manifest) => {
      packedByLock(text);
      packedByLock(lock(text.replaceAll("\n", "")));
      packedByManifest(manifest);
    }),
  );
});
