import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

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
    // The exit code counts violations; a crash shows in an output that is no JSON.
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
  it("are checked in every source file, and imports are seen", async () => {
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

const FLOORS = {
  protocol: "lib/protocol",
  rules: "lib/rules",
  engine: "lib/engine",
  drivers: "lib/drivers/sql",
  worker: "lib/worker",
  http: "lib/http",
  client: "lib/client",
  cli: "lib/cli",
  ground: "lib",
  api: "app/(api)/ok",
  console: "app/(console)/deployments",
  graphs: "graphs",
  tests: "tests",
};
type Floor = keyof typeof FLOORS;

/** The table of floors in ARCHITECTURE.md, written down a second time. */
const MAY: Record<Exclude<Floor, "tests">, Floor[]> = {
  protocol: [],
  rules: ["protocol"],
  engine: ["rules", "protocol"],
  drivers: ["rules", "protocol"],
  worker: ["rules", "protocol"],
  http: ["engine", "rules", "protocol"],
  client: ["rules", "protocol"],
  cli: ["rules", "protocol"],
  ground: ["protocol", "rules", "engine", "drivers", "worker", "http", "client", "cli"],
  api: ["http", "engine", "protocol"],
  console: ["engine", "client", "rules", "protocol"],
  graphs: [],
};

/** One offender for every rule that is not about a pair of floors. */
const OFFENDERS: Record<string, [file: string, text: string]> = {
  "only-compose-chooses-drivers": ["lib/server.ts", `import "./drivers/sql/target.ts";`],
  "pure-floors-touch-no-platform": ["lib/rules/reads.ts", `import "node:fs";`],
  "protocol-knows-zod-only": ["lib/protocol/shows.ts", `import "react";`],
  "rules-know-pure-packages-only": ["lib/rules/shows.ts", `import "react";`],
  "engine-does-no-io": ["lib/engine/reads.ts", `import "node:fs/promises";`],
  "engine-knows-zod-only": ["lib/engine/shows.ts", `import type {} from "react";`],
  "http-knows-no-framework": ["lib/http/shows.ts", `import type {} from "next";`],
  "client-runs-in-browsers": ["lib/client/reads.ts", `import "node:fs";`],
  "api-renders-nothing": ["app/(api)/ok/shows.ts", `import type {} from "react";`],
  "product-needs-no-dev-package": ["lib/tests-itself.ts", `import "judge";`],
  "packages-are-listed": ["lib/borrows.ts", `import "stray";`],
  "no-cycles": ["lib/engine/a.ts", `import type {} from "./b.ts";`],
  "every-import-resolves": ["lib/engine/lost.ts", `import "./nowhere.ts";`],
};

/** What must not trip any of them. */
const LAWFUL: Record<string, string> = {
  "lib/platform.ts": `import "./env.ts";`,
  "lib/env.ts": `import "zod";`,
  "lib/cli/asks.ts": `import "../env.ts"; import "node:fs";`,
  "lib/compose/chooses.ts": `import "../drivers/sql/target.ts";`,
  "lib/drivers/sql/ports-user.ts": `import "../../engine/ports/ports.ts"; import "react"; import "node:fs";`,
  "lib/rules/lays-out.ts": `import "zod"; import "@dagrejs/dagre";`,
  "app/(console)/page.ts": `import "@/lib/platform.ts"; import "react"; import "next";`,
};

async function makeTree(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "graphlib-walls-")));
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), `${text}\nexport {};\n`);
  };
  await cp(join(ROOT, "tsconfig.json"), join(root, "tsconfig.json"));
  const dependencies = { react: "1.0.0", next: "1.0.0", zod: "1.0.0", "@dagrejs/dagre": "1.0.0" };
  await writeFile(join(root, "package.json"), JSON.stringify({ dependencies, devDependencies: { judge: "1.0.0" } }));
  for (const name of [...Object.keys(dependencies), "judge", "stray"]) {
    await write(`node_modules/${name}/index.js`, "");
    await writeFile(join(root, "node_modules", name, "package.json"), JSON.stringify({ name, main: "index.js" }));
  }
  for (const [floor, folder] of Object.entries(FLOORS)) {
    await write(`${folder}/target.ts`, "");
    for (const [other, target] of Object.entries(FLOORS)) {
      if (other === floor) continue;
      const path = relative(folder, join(target, "target.ts"));
      await write(`${folder}/to-${other}.ts`, `import type {} from "${path.startsWith(".") ? path : `./${path}`}";`);
    }
  }
  await write("lib/engine/ports/ports.ts", "");
  await write("lib/engine/b.ts", `import type {} from "./a.ts";`);
  for (const [path, text] of [...Object.values(OFFENDERS), ...Object.entries(LAWFUL)]) await write(path, text);
  return root;
}

describe("walls of a tree full of offenders", () => {
  let found: z.infer<typeof Cruise>;

  beforeAll(async () => {
    const tree = await makeTree();
    found = await cruise(tree, "app", "lib", "graphs");
    await rm(tree, { recursive: true, force: true });
  });

  it.each(Object.entries(MAY))("let %s import (types as well) from %j alone", (floor, may) => {
    const refused = found.summary.violations
      .filter(({ rule, from }) => rule.name === `${floor}-imports-its-row-only` && from.includes("/to-"))
      .map(({ from }) => from.replace(/^.*\/to-(\w+)\.ts$/, "$1"));
    const others = Object.keys(FLOORS).filter((other) => other !== floor && !may.some((one) => one === other));
    expect(refused.toSorted()).toEqual(others.toSorted());
  });

  it.each(Object.entries(OFFENDERS))("stop what %s is about", (rule, [file]) => {
    expect(found.summary.violations).toContainEqual(
      expect.objectContaining({ from: file, rule: expect.objectContaining({ name: rule }) }),
    );
  });

  it.each(Object.keys(LAWFUL))("let %s pass", (file) => {
    expect(found.summary.violations.filter(({ from }) => from === file)).toEqual([]);
    expect(found.modules.map(({ source }) => source)).toContain(file);
  });

  it("are all tried here", () => {
    const tried = [...Object.keys(MAY).map((floor) => `${floor}-imports-its-row-only`), ...Object.keys(OFFENDERS)];
    expect(found.summary.ruleSetUsed.forbidden.map(({ name }) => name).toSorted()).toEqual(tried.toSorted());
  });
});
