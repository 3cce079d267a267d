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
import { linkFollower } from "../../../lib/rules/sources/links.ts";

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

/** Creates the tree on a disk, except for paths that clash. */
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

describe("the target of a link in a source", () => {
  it("is the one that the system finds, or the link is not followed", () => {
    fc.assert(
      fc.property(tree, (planned) => {
        const { root, links } = build(planned);
        const kindOf = (path: string) => {
          const found = lstatSync(join(root, path), { throwIfNoEntry: false });
          return found?.isDirectory() ? "folder" : found?.isFile() ? "file" : undefined;
        };
        const follow = linkFollower(links, kindOf);
        for (const [path] of links) {
          const end = follow(path) ?? { is: "nothing" };
          let real: string | undefined;
          try {
            real = realpathSync.native(join(root, path));
          } catch {
            real = undefined;
          }
          if (end.is === "file") {
            // A slash after a file's name is ignored.
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

  it("is a file only through links that stay inside", () => {
    const links = new Map([
      ["a", "b"],
      ["b", "c/../d"],
      ["out", "../x"],
      ["back", "../root/d"],
      ["lost", "none/../../d"],
    ]);
    const kindOf = (path: string) => (path === "d" ? "file" : path === "c" ? "folder" : undefined);
    const ends = [...links.keys()].map(linkFollower(links, kindOf));
    expect(ends).toEqual([
      { is: "file", path: "d" },
      { is: "file", path: "d" },
      { is: "outside" },
      { is: "outside" },
      { is: "outside" },
    ]);
  });

  it("is the same whichever links were followed before", () => {
    const one = fc.constantFrom("a", "b", "c", "d", "e");
    const steps = fc.array(fc.oneof(one, fc.constantFrom("..", ".", "")), { maxLength: 6 }).map((all) => all.join("/"));
    const many = fc.array(fc.tuple(fc.array(one, { minLength: 1, maxLength: 2 }), steps), { maxLength: 12 });
    fc.assert(
      fc.property(many, fc.infiniteStream(fc.constantFrom("file", "folder", "folder", undefined)), (pairs, kinds) => {
        const links = new Map(pairs.map(([names, to]) => [names.join("/"), to] as const));
        const lies = new Map<string, "file" | "folder" | undefined>();
        const kindOf = (path: string) => {
          if (!lies.has(path)) lies.set(path, kinds.next().value);
          return lies.get(path);
        };
        const follow = linkFollower(links, kindOf);
        for (const link of [...links.keys(), ...links.keys()].toReversed())
          expect(follow(link)).toEqual(linkFollower(links, kindOf)(link));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    [39, "file"],
    [40, "circle"],
  ])("is followed through 40 links and no more: %i before the last one: %s", (before, is) => {
    const links = new Map([["l0", "f"], ...chain(before, (n) => `l${n - 1}`)]);
    const kindOf = (path: string) => (path === "f" ? ("file" as const) : undefined);
    expect(linkFollower(links, kindOf)(`l${before}`)?.is).toBe(is);
    const upwards = [...links.keys()].map(linkFollower(links, kindOf));
    expect(upwards.at(-1)?.is).toBe(is);
    const downwards = [...links.keys()].toReversed().map(linkFollower(links, kindOf));
    expect(downwards[0]?.is).toBe(is);
  });

  it("takes as many lookups as all targets have parts, however the links lead to each other", () => {
    const looks = (count: number): number => {
      let looked = 0;
      const kindOf = () => {
        looked++;
        return "folder" as const;
      };
      const links = new Map([["l0", "d"], ...chain(count, (n) => `${"d/../".repeat(100)}l${n - 1}`)]);
      const follow = linkFollower(links, kindOf);
      for (const link of links.keys()) follow(link);
      return looked;
    };
    expect(looks(40)).toBeLessThan(101 * 42);
    expect(looks(400)).toBeLessThan(101 * 402);
  });

  it("is found in a bounded number of steps in all, whatever the links", () => {
    const folder = () => "folder" as const;
    const circle = new Map(chain(50_000, (n) => `${"./".repeat(50)}l${(n + 1) % 50_000}`));
    const ends = [...circle.keys()].map(linkFollower(circle, folder));
    expect(ends[0]).toEqual({ is: "circle" });
    expect(ends.at(-1)).toBeUndefined();
    expect(linkFollower(new Map([["a", "b/b/b/b"]]), folder, 5)("a")).toEqual({ is: "folder" });
    expect(linkFollower(new Map([["a", "b/b/b/b"]]), folder, 4)("a")).toBeUndefined();
  });

  it("is nothing when it is longer than a path can be", () => {
    const follow = linkFollower(
      new Map([
        ["a", `${"./".repeat(2046)}file`],
        ["b", `${"./".repeat(2047)}file`],
      ]),
      (path) => (path === "file" ? "file" : undefined),
    );
    expect([follow("a"), follow("b")]).toEqual([{ is: "file", path: "file" }, { is: "nothing" }]);
  });
});

function chain(count: number, target: (n: number) => string): [string, string][] {
  return Array.from({ length: count }, (_, n) => [`l${n + 1}`, target(n + 1)]);
}
