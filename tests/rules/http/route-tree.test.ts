import fc from "fast-check";
import { getSortedRoutes } from "next/dist/shared/lib/router/utils/sorted-routes.js";
import { getRouteMatcher } from "next/dist/shared/lib/router/utils/route-matcher.js";
import { getRouteRegex } from "next/dist/shared/lib/router/utils/route-regex.js";
import { describe, expect, it } from "vitest";
import { routeTree } from "../../../lib/rules/http/route-tree.ts";

const words = ["runs", "threads", "a", "b", "a.b", "_x"];
const literal = fc.constantFrom(...words);
/** A parameter has one name at each depth, as Next demands. */
const segments = fc
  .tuple(
    fc.array(fc.oneof({ weight: 2, arbitrary: literal }, fc.constant("[]")), { maxLength: 4 }),
    fc.option(fc.constantFrom("[...rest]", "[[...rest]]"), { nil: undefined, freq: 3 }),
  )
  .map(([plain, rest]) => [...plain.map((one, at) => (one === "[]" ? `[p${at}]` : one)), ...(rest ? [rest] : [])]);
const trees = fc.uniqueArray(segments, { selector: (one) => one.join("/"), minLength: 1, maxLength: 12 });
const paths = fc
  .array(fc.oneof(literal, fc.constantFrom("z", "a-1", "~")), { maxLength: 6 })
  .map((all) => `/${all.join("/")}`);

/** Next's own order and expressions: paths without parameters first, then the others one by one. */
function findAsNext(routes: readonly string[], path: string): { route: string; params: object } | undefined {
  if (routes.includes(path)) return { route: path, params: {} };
  for (const route of getSortedRoutes(routes.filter((one) => one.includes("[")))) {
    const params = getRouteMatcher(getRouteRegex(route))(path);
    if (params) return { route, params };
  }
  return undefined;
}

/** Returns whether Next accepts these routes beside each other. */
function areAccepted(routes: readonly string[]): boolean {
  try {
    getSortedRoutes(routes);
    return true;
  } catch {
    return false;
  }
}

describe("routeTree", () => {
  it("finds the route and the parameters that Next finds", () => {
    fc.assert(
      fc.property(trees, paths, (tree, path) => {
        const routes = tree.map((one) => `/${one.join("/")}`);
        fc.pre(areAccepted(routes));
        const find = routeTree(tree.map((one, at) => [one, routes[at] ?? ""]));
        const found = path === "/" ? undefined : find(path);
        expect(found).toEqual(path === "/" ? undefined : findAsNext(routes, path));
      }),
      { numRuns: 2_000 },
    );
  });

  it("leaves out folders that group routes", () => {
    const find = routeTree([[["(api)", "runs", "(deep)", "[id]"], 1]]);
    expect(find("/runs/7")).toEqual({ route: 1, params: { id: "7" } });
  });

  it.each([
    "",
    "/",
    "runs",
    "/runs/",
    "//runs",
    "/runs//1",
    "/runs/%41",
    "/runs/a b",
    "/runs/é",
    "/runs/1.rsc",
    "/runs\\1",
  ])("finds no route for %j, which is no plain path", (path) => {
    expect(routeTree([[["[[...all]]"], 1]])(path)).toBeUndefined();
  });

  it("is total", () => {
    const find = routeTree([[["a", "[b]"], 1]]);
    fc.assert(fc.property(fc.string(), (path) => void find(path)));
  });
});
