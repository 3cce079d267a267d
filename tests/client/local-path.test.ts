import fc from "fast-check";
import { expect, test } from "vitest";
import { localPath } from "../../lib/client/local-path.ts";

/** Strings of the parts of addresses, which `fc.string` alone hardly ever combines. */
const crooked = fc
  .array(
    fc.constantFrom("/", "//", "\\", ".", "..", "%2e", "%2E%2e", "%2f", "%5c", "\t", "\n", "@", ":", "?", "#", "a.b"),
  )
  .map((parts) => parts.join(""));
const anything = fc.oneof(fc.string(), fc.string({ unit: "binary" }), crooked, fc.webUrl(), fc.anything());
const base = fc.constantFrom(
  "http://localhost:2024",
  "https://agents.example.com/sign-in?next=x",
  "http://[::1]:80/a/b",
);

test("it never leads to another origin, nor to a path that names one", () => {
  fc.assert(
    fc.property(anything, base, (next, here) => {
      const url = new URL(localPath(next), here);
      expect(url.origin).toBe(new URL(here).origin);
      expect(url.pathname).not.toMatch(/^\/\//);
    }),
    { numRuns: 5_000 },
  );
});

test("a path as a browser writes it stays as it is", () => {
  fc.assert(
    fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
      const { pathname, search } = new URL(`http://here.test${path}?${query}`);
      fc.pre(!pathname.startsWith("//"));
      expect(localPath(pathname + search)).toBe(pathname + search);
      expect(localPath(localPath(pathname))).toBe(localPath(pathname));
    }),
  );
  expect(localPath("/deployments/bot/chat?assistant=agent#last")).toBe("/deployments/bot/chat?assistant=agent#last");
});

test("what would lead elsewhere leads home", () => {
  const away = ["/..//host/", "/.//host", "//host", "/\\host", "/\t/host", "/a/..//host", "/%2e%2e//host", "\\\\host"];
  for (const next of [...away, "https://host/", "javascript:alert(1)", "", " /x", undefined, ["/a"]]) {
    expect([next, localPath(next)]).toEqual([next, "/"]);
  }
});
