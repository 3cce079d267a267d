/** An application that needs the package is-odd, and lockfiles of it. */
const json = (value: object) => JSON.stringify(value, null, 2);

export const YARN_1 = `# yarn lockfile v1


is-number@^6.0.0:
  version "6.0.0"
  resolved "https://registry.yarnpkg.com/is-number/-/is-number-6.0.0.tgz#e6d15ad31fc262887cccf217ae5f9316f81b1995"
  integrity sha512-Wu1VHeILBK8KAWJUAiSZQX94GmOE45Rg6/538fKwiloUu21KncEkYGPqob2oSZ5mUT73vLGrHQjKw3KMPwfDzg==

is-odd@3.0.1:
  version "3.0.1"
  resolved "https://registry.yarnpkg.com/is-odd/-/is-odd-3.0.1.tgz#65101baf3727d728b66fa62f50cda7f2d3989601"
  integrity sha512-CQpnWPrDwmP1+SMHXZhtLtJv90yiyVfluGsX5iNCVkrhQtU3TQHsUWPG9wkdk9Lgd5yNpAg9jQEo90CBaXgWMA==
  dependencies:
    is-number "^6.0.0"
`;
export const YARN_4 = `__metadata:
  version: 8
  cacheKey: 10c0

"is-number@npm:^6.0.0":
  version: 6.0.0
  resolution: "is-number@npm:6.0.0"
  checksum: 10c0/5da4c68401529675c575878d2760d66f18eaef4b014858577f6003daf66488d7fe4eae684b1e8574e3fa1bb447c6c6c56b8491d2b4b3239da2d32e5f6f218008
  languageName: node
  linkType: hard

"is-odd@npm:3.0.1":
  version: 3.0.1
  resolution: "is-odd@npm:3.0.1"
  dependencies:
    is-number: "npm:^6.0.0"
  checksum: 10c0/89ee2e353c5a3f3bd400c79db1c307a5b3506198ee8169d521e533a9b1d8a08fc95f21a919c084e98845b4286d7ffe309778da03744dfe66c3c1763ab1a030c6
  languageName: node
  linkType: hard

"x@workspace:.":
  version: 0.0.0-use.local
  resolution: "x@workspace:."
  dependencies:
    is-odd: "npm:3.0.1"
  languageName: unknown
  linkType: soft
`;
/** Returns its package.json. */
export const odd = (more: object = {}) =>
  json({ name: "x", private: true, dependencies: { "is-odd": "3.0.1" }, ...more });
/** Its configuration and its code. */
export const ODD_FILES = {
  "graphlib.json": json({ graphs: { odd: "./odd.mjs:graph" } }),
  "odd.mjs": `
  import { Annotation, StateGraph } from "@langchain/langgraph";
  import isOdd from "is-odd";
  export const graph = new StateGraph(Annotation.Root({ n: Annotation(), odd: Annotation() }))
    .addNode("look", ({ n }) => ({ odd: isOdd(n) })).addEdge("__start__", "look").compile();
`,
};
