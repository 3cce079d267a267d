import { expect, test } from "vitest";
import { createSourceFinder } from "../../../lib/worker/application/source-places.ts";

const answer = () => 42;
const text = String(answer);

/** Returns where the function is found among files of these texts. */
function placeIn(files: Record<string, string>, code: unknown = answer) {
  const sources = Object.entries(files).map(([path, source]) => ({ path, read: () => source }));
  return createSourceFinder("/app", () => sources)()(code);
}

test("a function is found by its text, at the line where it begins", () => {
  expect(placeIn({ "/app/one.js": "let x;\n", "/app/graphs/two.js": `\n\nconst f = ${text};\n` })).toEqual({
    file: "graphs/two.js",
    line: 3,
  });
});

test.each([
  ["it is nowhere", { "/app/a.js": "const f = () => 41;" }],
  ["it stands twice in a file", { "/app/a.js": `${text};${text}` }],
  ["it stands in two files", { "/app/a.js": text, "/app/b.js": text }],
  ["its file belongs to a package", { "/app/node_modules/a/b.js": text, "/app/x/node_modules/c.js": text }],
  ["its file is outside of the folder", { "/else/a.js": text, "/application/a.js": text }],
  ["its file was made by a build", { "/app/.graphlib/compiled/a.js": text }],
])("a function has no place when %s", (_, files) => {
  expect(placeIn(files)).toBeUndefined();
});

test.each([null, "() => 42", 42, {}, Math.max, answer.bind(null)])("%o is no function with a place", (code) => {
  expect(placeIn({ "/app/a.js": `${text}\nfunction () { [native code] }` }, code)).toBeUndefined();
});

test("a file that cannot be read any more is passed over", () => {
  const gone = {
    path: "/app/gone.js",
    read: () => {
      throw new Error("ENOENT");
    },
  };
  const find = createSourceFinder("/app", () => [gone, { path: "/app/a.js", read: () => text }])();
  expect(find(answer)).toEqual({ file: "a.js", line: 1 });
});

test("files are not read again for a function that is known", () => {
  let reads = 0;
  const read = () => {
    reads++;
    return text;
  };
  const finder = createSourceFinder("/app", () => [{ path: "/app/a.js", read }]);
  finder()(answer);
  finder()(answer);
  expect(reads).toBe(1);
});

test("a file with more text than is searched is left out", () => {
  expect(placeIn({ "/app/large.js": `${"x".repeat(4_000_000)}${text}` })).toBeUndefined();
});
