import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { packageHome, type Level } from "../../../lib/rules/packages/package-home.ts";
import { readConfig } from "../../../lib/rules/preflight/config.ts";
import { nodeMajors, planNode } from "../../../lib/rules/preflight/node.ts";
import { planVariables } from "../../../lib/rules/preflight/variables.ts";

interface NodeRequest {
  node_version?: string;
  engines?: string;
  nvmrc?: string;
}

function configOf(more: object) {
  const { config, text } = readConfig("graphlib.json", JSON.stringify({ graphs: { a: "./a.ts:a" }, ...more }, null, 2));
  if (!config || !text) throw new Error("no configuration");
  return { file: "graphlib.json", config, text };
}

function plan({ node_version, engines, nvmrc }: NodeRequest) {
  const level: Level = {
    path: "",
    lockfiles: [],
    manifest: JSON.stringify(engines === undefined ? {} : { engines: { node: engines } }, null, 2),
    ...(nvmrc !== undefined && { nodeVersion: { name: ".nvmrc", text: nvmrc } }),
  };
  const home = packageHome([level]);
  const manifests = home && "manifests" in home ? home.manifests : [];
  return planNode({ config: configOf({ node_version }), manifests, levels: [level], own: 24 });
}

describe("the version of Node.js", () => {
  test.each<[NodeRequest, string, string[]]>([
    [{}, "24", []],
    [{ node_version: "20" }, "20", []],
    [{ node_version: "22.x" }, "22", []],
    [{ node_version: "18" }, "24", ["error"]],
    [{ node_version: "latest" }, "24", ["error"]],
    [{ engines: ">=20" }, "24", []],
    [{ engines: "20.x || 22.x" }, "22", []],
    [{ engines: "^20.9.0" }, "20", []],
    [{ engines: "^18" }, "24", ["warning"]],
    [{ engines: "lts" }, "24", ["warning"]],
    [{ nvmrc: "v22.3.0\n" }, "22", []],
    [{ nvmrc: "lts/jod" }, "22", []],
    [{ nvmrc: "lts/*" }, "24", []],
    [{ nvmrc: "16" }, "24", ["warning"]],
    [{ nvmrc: "16", engines: "20" }, "20", ["warning"]],
    [{ nvmrc: "22", engines: "20" }, "22", ["warning"]],
    [{ node_version: "20", nvmrc: "22", engines: ">=22" }, "20", ["warning"]],
  ])("of %j is %s", (request, node, levels) => {
    const planned = plan(request);
    expect({ node: planned.node, levels: planned.findings.map(({ level }) => level) }).toEqual({ node, levels });
  });

  test("is a supported one for any request, and every finding has a line and a fix", () => {
    const text = fc.option(fc.oneof(fc.string(), fc.constantFrom("20", "22", ">=20 <23", "v24")), { nil: undefined });
    fc.assert(
      fc.property(text, text, text, (node_version, engines, nvmrc) => {
        const { node, findings } = plan({ node_version, engines, nvmrc });
        expect(nodeMajors.map(String)).toContain(node);
        for (const finding of findings)
          expect(finding).toMatchObject({ line: expect.any(Number), fix: expect.stringMatching(/\.$/) });
      }),
    );
  });
});

describe("variables", () => {
  const example = {
    name: ".env.example",
    text: "# a key\nOPENAI_API_KEY=\nexport MODEL=x\n",
    values: { OPENAI_API_KEY: "", MODEL: "x" },
  };

  test("that the example lists and nothing sets are reported with their line", () => {
    const { variables, findings } = planVariables({ config: configOf({}), example, given: ["MODEL"] });
    expect(variables).toEqual([
      { name: "OPENAI_API_KEY", from: ".env.example", present: false },
      { name: "MODEL", from: ".env.example", present: true },
    ]);
    expect(findings).toEqual([
      {
        level: "warning",
        file: ".env.example",
        line: 2,
        column: 1,
        message: ".env.example names OPENAI_API_KEY; the deployment has no value for it.",
        fix: "Set OPENAI_API_KEY in the deployment's environment.",
      },
    ]);
  });

  test("have a value from the application's own file, or its configuration", () => {
    const values = { name: ".env", text: "", values: { OPENAI_API_KEY: "k", MODEL: "" } };
    const present = (env: unknown) =>
      planVariables({ config: configOf({ env }), example, values, given: [] }).variables.map(({ present: is }) => is);
    expect(present({})).toEqual([true, false]);
    expect(present({ MODEL: "y" })).toEqual([true, true]);
  });

  test("that the configuration lists must be set", () => {
    const { findings } = planVariables({ config: configOf({ env: ["A", "B"] }), given: ["A"] });
    expect(findings).toEqual([expect.objectContaining({ file: "graphlib.json", line: 7 })]);
  });

  test("of a missing file are reported", () => {
    const { findings } = planVariables({ config: configOf({ env: ".env.prod" }), given: [] });
    expect(findings).toMatchObject([{ level: "warning", line: 5, message: expect.stringContaining(".env.prod") }]);
  });

  test("of a file outside of the source are an error", () => {
    const { findings } = planVariables({ config: configOf({ env: "../.env" }), values: "outside", given: [] });
    expect(findings).toMatchObject([{ level: "error", line: 5, message: "env points out of the source: ../.env." }]);
  });
});
