// The walls of the house. A floor may import itself, what its row lists, and nothing else of ours.
const OURS = "^((app|graphs|lib|tests)/|instrumentation\\.ts$)";

const floors = {
  protocol: { at: "^lib/protocol/", may: [] },
  rules: { at: "^lib/rules/", may: ["^lib/protocol/"] },
  engine: { at: "^lib/engine/", may: ["^lib/(rules|protocol)/"] },
  drivers: {
    at: "^lib/drivers/",
    may: ["^lib/engine/ports/", "^lib/(rules|protocol)/"],
  },
  worker: { at: "^lib/worker/", may: ["^lib/(rules|protocol)/"] },
  http: { at: "^lib/http/", may: ["^lib/(engine|rules|protocol)/"] },
  client: { at: "^lib/client/", may: ["^lib/(rules|protocol)/"] },
  cli: { at: "^lib/cli/", may: ["^lib/(rules|protocol)/", "^lib/env\\.ts$", "^lib/compose/migrate\\.ts$"] },
  compose: {
    at: "^lib/compose/",
    may: ["^lib/(drivers|engine|http|worker|rules|protocol)/", "^lib/(platform|env|program-env)\\.ts$"],
  },
  server: { at: "^lib/server/", may: ["^lib/(http|engine|client|rules|protocol)/", "^lib/(platform|env)\\.ts$"] },
  process: { at: "^lib/server\\.ts$", may: ["^lib/(compose|server)/", "^lib/env\\.ts$"] },
  platform: { at: "^lib/platform\\.ts$", may: ["^lib/(engine|http|protocol)/"] },
  env: { at: "^lib/(program-)?env\\.ts$", may: [] },
  instrumentation: { at: "^instrumentation\\.ts$", may: ["^lib/under-next\\.ts$"] },
  "under-next": { at: "^lib/under-next\\.ts$", may: ["^lib/compose/", "^lib/platform\\.ts$"] },
  ground: { at: "^lib/(?!(?:server|under-next|platform|env|program-env)\\.ts$)[^/]+$", may: [] },
  api: { at: "^app/\\(api\\)/", may: ["^lib/(http|protocol)/", "^lib/platform\\.ts$"] },
  console: { at: "^app/(?!\\(api\\)/)", may: ["^lib/(engine|client|rules|protocol)/", "^lib/platform\\.ts$"] },
  graphs: { at: "^graphs/", may: [] },
};

const walls = Object.entries(floors).map(([name, { at, may }]) => ({
  name: `${name}-imports-its-row-only`,
  severity: "error",
  from: { path: at },
  to: { path: OURS, pathNot: [at, ...may] },
}));

const forbid = (name, from, to) => ({ name, severity: "error", from, to });
/** Drivers that most servers never use. */
const ON_DEMAND = "^lib/drivers/(bus/redis|blobs/s3)\\.ts$";
const PACKAGE = ["npm", "npm-dev", "npm-optional", "npm-peer", "npm-bundled"];

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...walls,
    forbid(
      "only-compose-chooses-drivers",
      { path: OURS, pathNot: ["^lib/compose/", "^lib/drivers/"] },
      { path: "^lib/drivers/" },
    ),
    forbid("pure-floors-touch-no-platform", { path: "^lib/(protocol|rules)/" }, { dependencyTypes: ["core"] }),
    forbid(
      "protocol-knows-zod-only",
      { path: "^lib/protocol/" },
      { dependencyTypes: PACKAGE, pathNot: "^node_modules/zod/" },
    ),
    forbid(
      "rules-know-pure-packages-only",
      { path: "^lib/rules/" },
      { dependencyTypes: PACKAGE, pathNot: "^node_modules/(zod|@dagrejs/dagre|canonicalize|re2js|ipaddr\\.js)/" },
    ),
    forbid(
      "engine-does-no-io",
      { path: "^lib/engine/" },
      { dependencyTypes: ["core"], pathNot: "^(node:)?(crypto|events)$" },
    ),
    forbid(
      "engine-knows-zod-only",
      { path: "^lib/engine/" },
      { dependencyTypes: PACKAGE, pathNot: "^node_modules/zod/" },
    ),
    forbid("http-knows-no-framework", { path: "^lib/http/" }, { path: "^node_modules/(next|react|react-dom)/" }),
    forbid("client-runs-in-browsers", { path: "^lib/client/" }, { dependencyTypes: ["core"] }),
    forbid("api-renders-nothing", { path: "^app/\\(api\\)/" }, { path: "^node_modules/(react|react-dom)/" }),
    forbid(
      "product-needs-no-dev-package",
      { path: "^(app|graphs|lib)/" },
      { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "clients-of-redis-and-s3-load-on-demand",
      { path: "^(app|lib)/", pathNot: ON_DEMAND },
      {
        path: [ON_DEMAND, "^node_modules/(@redis/client|aws4fetch)/"],
        dependencyTypesNot: ["dynamic-import", "type-only"],
      },
    ),
    forbid("packages-are-listed", { path: OURS }, { dependencyTypes: ["npm-no-pkg", "npm-unknown"] }),
    forbid("no-cycles", {}, { circular: true }),
    { ...forbid("no-cycles-of-folders", { path: "^(app|lib)/" }, { circular: true }), scope: "folder" },
    forbid("every-import-resolves", {}, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: "^node_modules/" },
    exclude: { path: "^\\.next/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
