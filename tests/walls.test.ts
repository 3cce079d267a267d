import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import packageJson from "../package.json" with { type: "json" };

const ROOT = join(import.meta.dirname, "..");
const CRUISER = join(ROOT, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");

const Cruise = z.object({
  modules: z.array(z.object({ source: z.string(), dependencies: z.array(z.object({ resolved: z.string() })) })),
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
    ruleSetUsed: z.object({ forbidden: z.array(z.object({ name: z.string() })) }),
  }),
});

function cruise(folder: string, ...targets: string[]): Promise<z.infer<typeof Cruise>> {
  const args = [CRUISER, "--config", join(ROOT, ".dependency-cruiser.cjs"), "--output-type", "json", ...targets];
  return new Promise((resolve, reject) => {
    // The exit code counts violations. After a crash the output is no JSON.
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (_, stdout, stderr) => {
      try {
        resolve(Cruise.parse(JSON.parse(stdout)));
      } catch (cause) {
        reject(new Error(`dependency-cruiser failed: ${stderr}`, { cause }));
      }
    });
  });
}

describe("walls of this repository", () => {
  it("are checked in every source file, and imports are found", async () => {
    const { modules } = await cruise(ROOT, "app", "lib", "graphs", "instrumentation.ts");
    const seen = new Set(modules.map(({ source }) => source));
    const files = globSync(["app/**/*.{ts,tsx}", "lib/**/*.{ts,mjs}", "graphs/**/*.ts"], { cwd: ROOT });
    expect(files.length).toBeGreaterThan(40);
    expect(files.filter((file) => !seen.has(file))).toEqual([]);
    const ours = modules.filter(({ source }) => source.startsWith("lib/engine/"));
    expect(ours.flatMap(({ dependencies }) => dependencies.map(({ resolved }) => resolved))).toContain(
      "lib/engine/ports/ports.ts",
    );
  });
});

/** The folder or file of each floor. */
const FLOORS = {
  protocol: "lib/protocol",
  rules: "lib/rules",
  engine: "lib/engine",
  drivers: "lib/drivers/sql",
  worker: "lib/worker",
  http: "lib/http",
  client: "lib/client",
  cli: "lib/cli",
  compose: "lib/compose",
  server: "lib/server",
  process: "lib/server.ts",
  platform: "lib/platform.ts",
  env: "lib/env.ts",
  instrumentation: "instrumentation.ts",
  "under-next": "lib/under-next.ts",
  ground: "lib",
  api: "app/(api)/ok",
  console: "app/(console)/deployments",
  graphs: "graphs",
  tests: "tests",
};
type Floor = keyof typeof FLOORS;

/** The table of floors in ARCHITECTURE.md, repeated here as a check. */
const MAY: Record<Exclude<Floor, "tests">, Floor[]> = {
  protocol: [],
  rules: ["protocol"],
  engine: ["rules", "protocol"],
  drivers: ["rules", "protocol"],
  worker: ["rules", "protocol"],
  http: ["engine", "rules", "protocol"],
  client: ["rules", "protocol"],
  cli: ["env", "rules", "protocol"],
  compose: ["drivers", "engine", "http", "worker", "rules", "protocol", "platform", "env"],
  server: ["http", "engine", "client", "rules", "protocol", "platform", "env"],
  process: ["compose", "server", "env"],
  platform: ["engine", "http", "protocol"],
  env: [],
  instrumentation: ["under-next"],
  "under-next": ["compose", "platform"],
  ground: [],
  api: ["http", "protocol", "platform"],
  console: ["platform", "engine", "client", "rules", "protocol"],
  graphs: [],
};

/** Returns the entries of a table by floor, with their types. */
function floors<K extends Floor, V>(table: Record<K, V>): [K, V][] {
  return Object.entries(table) as [K, V][];
}

/** One offender for every rule that is not about a pair of floors. */
const OFFENDERS: Record<string, [file: string, text: string]> = {
  "only-compose-chooses-drivers": ["lib/server/chooses.ts", `import "../drivers/sql/target.ts";`],
  "pure-floors-touch-no-platform": ["lib/rules/reads.ts", `import "node:fs";`],
  "protocol-knows-zod-only": ["lib/protocol/shows.ts", `import "react";`],
  "rules-know-pure-packages-only": ["lib/rules/shows.ts", `import "react";`],
  "engine-does-no-io": ["lib/engine/reads.ts", `import "node:fs/promises";`],
  "engine-knows-zod-only": ["lib/engine/shows.ts", `import type {} from "react";`],
  "http-knows-no-framework": ["lib/http/shows.ts", `import type {} from "next";`],
  "client-runs-in-browsers": ["lib/client/reads.ts", `import "node:fs";`],
  "api-renders-nothing": ["app/(api)/ok/shows.ts", `import type {} from "react";`],
  "product-needs-no-dev-package": ["lib/tests-itself.ts", `import "judge";`],
  "clients-of-redis-and-s3-load-on-demand": ["lib/compose/shares.ts", `import "../drivers/bus/redis.ts";`],
  "packages-are-listed": ["lib/borrows.ts", `import "stray";`],
  "no-cycles": ["lib/engine/a.ts", `import type {} from "./b.ts";`],
  "no-cycles-of-folders": ["app/(console)/_a/one.ts", `import type {} from "../_b/one.ts";`],
  "every-import-resolves": ["lib/engine/lost.ts", `import "./nowhere.ts";`],
};

/** Files that the offenders import. The two folders import each other, though no two of their files do. */
const BESIDE: Record<string, string> = {
  "lib/engine/ports/ports.ts": "",
  "lib/drivers/bus/redis.ts": "",
  "lib/engine/b.ts": `import type {} from "./a.ts";`,
  "app/(console)/_a/two.ts": "",
  "app/(console)/_b/one.ts": "",
  "app/(console)/_b/two.ts": `import type {} from "../_a/two.ts";`,
};

/** Files that break no rule. */
const LAWFUL: Record<string, string> = {
  "lib/cli/asks.ts": `import "../env.ts"; import "node:fs";`,
  "lib/compose/chooses.ts": `import "../drivers/sql/target.ts"; import "zod";`,
  "lib/compose/asks.ts": `import type {} from "../drivers/bus/redis.ts"; await import("../drivers/bus/redis.ts");`,
  "lib/drivers/sql/ports-user.ts": `import "../../engine/ports/ports.ts"; import "react"; import "node:fs";`,
  "lib/rules/lays-out.ts": `import "zod"; import "@dagrejs/dagre";`,
  "app/(console)/page.ts": `import "#lib/platform.ts"; import "react"; import "next";`,
};

const isFile = (place: string): boolean => place.endsWith(".ts");
/** The file of a floor that imports all others. */
const importerOf = (place: string): string => (isFile(place) ? place : `${place}/importer.ts`);
/** The file of a floor that all others import. */
const targetOf = (place: string): string => (isFile(place) ? place : `${place}/target.ts`);

async function makeTree(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "graphlib-walls-")));
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), `${text}\nexport {};\n`);
  };
  await cp(join(ROOT, "tsconfig.json"), join(root, "tsconfig.json"));
  const dependencies = { react: "1.0.0", next: "1.0.0", zod: "1.0.0", "@dagrejs/dagre": "1.0.0" };
  await writeFile(
    join(root, "package.json"),
    JSON.stringify({ imports: packageJson.imports, dependencies, devDependencies: { judge: "1.0.0" } }),
  );
  for (const name of [...Object.keys(dependencies), "judge", "stray"]) {
    await write(`node_modules/${name}/index.js`, "");
    await writeFile(join(root, "node_modules", name, "package.json"), JSON.stringify({ name, main: "index.js" }));
  }
  for (const [floor, place] of Object.entries(FLOORS)) {
    const from = importerOf(place);
    const others = Object.entries(FLOORS).filter(([other]) => other !== floor);
    const imports = others.map(([, other]) => {
      const path = relative(dirname(from), targetOf(other));
      return `import type {} from "${path.startsWith(".") ? path : `./${path}`}";`;
    });
    await write(from, imports.join("\n"));
    if (targetOf(place) !== from) await write(targetOf(place), "");
  }
  const rest = [...Object.values(OFFENDERS), ...Object.entries(BESIDE), ...Object.entries(LAWFUL)];
  for (const [path, text] of rest) await write(path, text);
  return root;
}

describe("walls of a tree with offenders", () => {
  let found: z.infer<typeof Cruise>;

  beforeAll(async () => {
    const tree = await makeTree();
    found = await cruise(tree, "app", "lib", "graphs", "instrumentation.ts");
    await rm(tree, { recursive: true, force: true });
  });

  it.each(floors(MAY))("let %s import (types as well) only from %j", (floor, may) => {
    const refused = found.summary.violations
      .filter(({ rule, from }) => rule.name === `${floor}-imports-its-row-only` && from === importerOf(FLOORS[floor]))
      .map(({ to }) => to);
    const others = floors(FLOORS).filter(([other]) => other !== floor && !may.includes(other));
    expect(refused.toSorted()).toEqual(others.map(([, place]) => targetOf(place)).toSorted());
  });

  it.each(Object.entries(OFFENDERS))("report the offender of %s", (rule, [file]) => {
    const from = rule === "no-cycles-of-folders" ? dirname(file) : file;
    expect(found.summary.violations).toContainEqual(
      expect.objectContaining({ from, rule: expect.objectContaining({ name: rule }) }),
    );
  });

  it.each(Object.keys(LAWFUL))("allow %s", (file) => {
    expect(found.summary.violations.filter(({ from }) => from === file)).toEqual([]);
    expect(found.modules.map(({ source }) => source)).toContain(file);
  });

  it("are all tested here", () => {
    const tried = [...Object.keys(MAY).map((floor) => `${floor}-imports-its-row-only`), ...Object.keys(OFFENDERS)];
    expect(found.summary.ruleSetUsed.forbidden.map(({ name }) => name).toSorted()).toEqual(tried.toSorted());
  });
});
