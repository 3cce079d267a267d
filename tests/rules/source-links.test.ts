import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { followLink } from "../../lib/rules/source-links.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "graphlib-links-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const name = fc.constantFrom("a", "b", "c");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const step = fc.constantFrom("a", "b", "c", "..", ".", "");
const target = fc.oneof(
  fc.array(step, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("/")),
  fc.constantFrom("/etc/passwd", "/"),
);
const tree = fc.record({
  files: fc.array(path, { maxLength: 5 }),
  links: fc.array(fc.tuple(path, target), { minLength: 1, maxLength: 6 }),
});

let made = 0;

/** The tree on a disk, as far as its paths do not clash. */
function build({ files, links }: { files: string[]; links: [string, string][] }) {
  const root = join(folder, `outer${++made}`, "root");
  mkdirSync(root, { recursive: true });
  const kept = new Map<string, string>();
  const put = (path: string, make: (place: string) => void): boolean => {
    const above = path.split("/").map((_, n, parts) => parts.slice(0, n).join("/"));
    if (above.some((one) => kept.has(one))) return false;
    try {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      make(join(root, path));
      return true;
    } catch {
      return false;
    }
  };
  for (const file of files) put(file, (place) => writeFileSync(place, file, { flag: "wx" }));
  for (const [path, to] of links) if (to !== "" && put(path, (place) => symlinkSync(to, place))) kept.set(path, to);
  return { root, links: kept };
}

describe("where a link of a source leads", () => {
  it("is what the system says, or the link is not followed", () => {
    fc.assert(
      fc.property(tree, (planned) => {
        const { root, links } = build(planned);
        const kindOf = (path: string) => {
          const found = lstatSync(join(root, path), { throwIfNoEntry: false });
          return found?.isDirectory() ? "folder" : found?.isFile() ? "file" : undefined;
        };
        for (const [path] of links) {
          const end = followLink(path, links, kindOf);
          let real: string | undefined;
          try {
            real = realpathSync.native(join(root, path));
          } catch {
            real = undefined;
          }
          if (end.is === "file") {
            // A slash behind a file's name is no reason to miss it.
            if (real !== undefined) expect(real).toBe(join(root, end.path));
            expect(readFileSync(join(root, end.path), "utf8")).toBe(end.path);
          } else if (end.is === "folder") expect(real === root || real?.startsWith(`${root}/`)).toBe(true);
          else if (end.is === "nothing" || end.is === "circle") expect(real).toBeUndefined();
        }
        rmSync(dirname(root), { recursive: true });
      }),
      { numRuns: 300 },
    );
  });

  it("is a file only through links to files, each of which stays inside", () => {
    const links = new Map([
      ["a", "b"],
      ["b", "c/../d"],
      ["out", "../x"],
      ["back", "../root/d"],
      ["lost", "none/../../d"],
    ]);
    const kindOf = (path: string) => (path === "d" ? "file" : path === "c" ? "folder" : undefined);
    const ends = [...links.keys()].map((link) => followLink(link, links, kindOf));
    expect(ends).toEqual([
      { is: "file", path: "d" },
      { is: "file", path: "d" },
      { is: "outside" },
      { is: "outside" },
      { is: "outside" },
    ]);
  });
});
