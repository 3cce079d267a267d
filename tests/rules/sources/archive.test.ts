import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { archiveKind, entryPath, isLeftOut } from "../../../lib/rules/sources/archive.ts";
import { tar, tarGz, zip } from "../../support/archives.ts";

const parts = fc.array(fc.constantFrom("a", "b.txt", "..", ".", "", "...", ".. ", "C:", "\0", "\\", "ü"), {
  maxLength: 6,
});

test("a path of an entry never leads out of the folder into which it is unpacked", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        parts.map((all) => all.join("/")),
        fc.string(),
      ),
      (name) => {
        const path = entryPath(name);
        if (path === undefined) return;
        const place = join("/root", ...path);
        expect(place === "/root" || place.startsWith("/root/")).toBe(true);
        expect(path.some((part) => part === "" || part === "." || part === "..")).toBe(false);
      },
    ),
  );
});

test("an entry's path is the same when it is split and joined again", () => {
  fc.assert(
    fc.property(parts, (all) => {
      const path = entryPath(all.join("/"));
      if (path && path.length > 0) expect(entryPath(path.join("/"))).toEqual(path);
    }),
  );
  expect(entryPath("./a//b/")).toEqual(["a", "b"]);
  expect(entryPath("./")).toEqual([]);
});

test("an archive's kind is known from its first bytes", () => {
  const start = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 512)).toString("latin1");
  expect(archiveKind(start(tar([{ name: "a" }])))).toEqual({ kind: "tar" });
  expect(archiveKind(start(tar([])))).toEqual({ kind: "tar" });
  expect(archiveKind(start(tarGz([])))).toEqual({ kind: "tar.gz" });
  expect(archiveKind(start(zip([])))).toEqual({ kind: "zip" });
});

test.each([
  ["\u001F\u008B", { kind: "tar.gz" }],
  ["PK\u0003\u0004", { kind: "zip" }],
  ["BZh", { other: "bzip2" }],
  ["Rar!", { other: "rar" }],
  ["text", { other: undefined }],
])("an archive that begins with %j is known by that, whatever follows", (first, kind) => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 600 }), (text) => {
      expect(archiveKind(first + text)).toEqual(kind);
    }),
  );
});

test("folders that tools make are left out in any case, and names that only look like them are kept", () => {
  for (const name of [".git", ".GIT", "node_modules", ".graphlib", ".next"]) expect(isLeftOut(name)).toBe(true);
  for (const name of [".github", ".gitignore", "node_modules2", "next", "a.git"]) expect(isLeftOut(name)).toBe(false);
});
