/** Finds the variables that an application names, and whether they have values. */
import type { AppConfig } from "../../protocol/config.ts";
import type { DetectedVariable, Finding } from "../../protocol/preflight.ts";
import { errorAt, inFile, warningAt } from "./finding.ts";
import type { JsonText } from "../text/json-text.ts";

/** A parsed file of variables. */
export interface EnvFile {
  name: string;
  text: string;
  values: Readonly<Record<string, string | undefined>>;
}

export interface VariableInputs {
  config: { file: string; text: JsonText; config: AppConfig };
  /** The file `.env.example`. */
  example?: EnvFile;
  /** The file that the configuration names, or `.env`; `outside` when it lies outside of the source. */
  values?: EnvFile | "outside";
  /** Names of variables that will have a value. */
  given: readonly string[];
}

export function planVariables(inputs: VariableInputs): { variables: DetectedVariable[]; findings: Finding[] } {
  const {
    config: { file, text, config },
    example,
    given,
  } = inputs;
  const values = inputs.values === "outside" ? undefined : inputs.values;
  const { env } = config;
  const findings: Finding[] = [];
  const named = new Map<string, { from: string; where: Parameters<typeof warningAt>[0] }>();
  const lines = linesByName(example?.text ?? "");
  for (const name of Object.keys(example?.values ?? {})) {
    const line = lines.get(name);
    const where = inFile(example?.name ?? "", line === undefined ? undefined : { line, column: 1 });
    named.set(name, { from: example?.name ?? "", where });
  }
  const listed = Array.isArray(env) ? env.map((name, index) => ({ name, key: index })) : [];
  const set = typeof env === "object" && !Array.isArray(env) ? env : {};
  for (const { name, key } of [...listed, ...Object.keys(set).map((own) => ({ name: own, key: own }))]) {
    named.set(name, { from: file, where: inFile(file, text.at(["env", key])) });
  }
  for (const name of Object.keys(values?.values ?? {})) {
    if (!named.has(name)) named.set(name, { from: values?.name ?? "", where: { file: values?.name } });
  }
  if (typeof env === "string" && inputs.values === "outside") {
    const message = `env points out of the source: ${env}.`;
    const fix = "Put the file into the source, or set its variables in the deployment's environment.";
    findings.push(errorAt(inFile(file, text.at(["env"])), message, fix));
  } else if (typeof env === "string" && values === undefined) {
    const message = `env names the file ${env}, which is not there.`;
    const fix = "Set its variables in the deployment's environment; a file with secrets is better not committed.";
    findings.push(warningAt(inFile(file, text.at(["env"])), message, fix));
  }
  const order = (where: { line?: number }): number => where.line ?? 0;
  const sorted = [...named].toSorted(([, a], [, b]) => order(a.where) - order(b.where));
  const valued = new Set(given);
  const variables = sorted.map(([name, { from }]) => {
    const value = set[name] ?? values?.values[name];
    return { name, from, present: valued.has(name) || (value !== undefined && value !== "") };
  });
  for (const { name, from, present } of variables) {
    if (present) continue;
    const message = `${from} names ${name}; the deployment has no value for it.`;
    findings.push(warningAt(named.get(name)?.where ?? {}, message, `Set ${name} in the deployment's environment.`));
  }
  return { variables, findings };
}

/** Returns the first line of each name. */
function linesByName(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  for (const [index, line] of text.split("\n").entries()) {
    const name =
      line
        .replace(/^\s*(?:export\s+)?/, "")
        .split("=", 1)[0]
        ?.trim() ?? "";
    if (!lines.has(name)) lines.set(name, index + 1);
  }
  return lines;
}
