/** Checks an application's files before anything is installed, and runs nothing of them. */
import { join, relative, resolve, sep } from "node:path";
import { parseEnv } from "node:util";
import { type FetchedSource, type Preflight, StepFailure } from "../../engine/ports/builds.ts";
import type { CompileReport } from "../../protocol/compile.ts";
import type { AppConfig } from "../../protocol/config.ts";
import { configFileNames } from "../../protocol/config-files.ts";
import type { DetectedVariable, Finding, PreflightReport } from "../../protocol/preflight.ts";
import { warningAt } from "../../rules/preflight/finding.ts";
import type { JsonText } from "../../rules/text/json-text.ts";
import {
  type CodeFile,
  codeEntries,
  codeFindings,
  detectedGraphs,
  isCode,
  problemFindings,
} from "../../rules/preflight/code.ts";
import { chooseConfig } from "../../rules/preflight/config.ts";
import { planNode } from "../../rules/preflight/node.ts";
import { type EnvFile, planVariables } from "../../rules/preflight/variables.ts";
import type { AnalyzeCode } from "./compile.ts";
import { checkPackages } from "./check-packages.ts";
import { SourceFiles } from "./source-files.ts";

/** More findings would not be read. */
const MOST_FINDINGS = 100;
const OWN_NODE = Number(process.versions.node.split(".")[0]);

/** Reports what is wrong with the files. Throws `StepFailure` for one that is too large to be read. */
export function createPreflight(analyze: AnalyzeCode): Preflight {
  return async (fetched, given, signal) => {
    const files = new SourceFiles(fetched.root);
    const chosen = await findConfig(fetched, files);
    const config =
      chosen.config && chosen.text && chosen.file !== null
        ? { file: chosen.file, text: chosen.text, config: chosen.config }
        : undefined;
    const code = config ? await readCode(fetched, files, config, signal, analyze) : { findings: [], imports: [] };
    const entries = config ? codeEntries(config.config).entries.map(({ file }) => file) : [];
    const packages = await checkPackages(fetched, files, entries, code.imports);
    const node = planNode({ config, ...packages, own: OWN_NODE });
    const variables = config ? await readVariables(fetched, files, config, given) : { variables: [], findings: [] };
    const findings = [
      ...chosen.findings,
      ...code.findings,
      ...packages.findings,
      ...node.findings,
      ...variables.findings,
    ];
    return {
      ok: findings.every(({ level }) => level !== "error"),
      config_file: chosen.file,
      graphs: config ? detectedGraphs(config.config) : [],
      packages: packages.plan,
      node: node.node,
      variables: variables.variables,
      findings: inOrder(findings).slice(0, MOST_FINDINGS),
    } satisfies PreflightReport;
  };
}

/** Sorts by level, errors first; within a level the order stays. */
function inOrder(findings: readonly Finding[]): Finding[] {
  const order: Finding["level"][] = ["error", "warning", "note"];
  return findings.toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}

async function findConfig({ folder, root }: FetchedSource, files: SourceFiles) {
  const texts = new Map<string, string>();
  for (const name of configFileNames) {
    const text = await files.text(join(folder, name));
    if (text !== undefined) texts.set(name, text);
  }
  const elsewhere = texts.size > 0 ? [] : await files.findFoldersWith(configFileNames, 3);
  return chooseConfig(texts, relative(root, folder).replaceAll(sep, "/"), elsewhere);
}

type Config = { file: string; text: JsonText; config: AppConfig };

async function readCode(
  fetched: FetchedSource,
  files: SourceFiles,
  config: Config,
  signal: AbortSignal,
  analyze: AnalyzeCode,
): Promise<{ findings: Finding[]; imports: CompileReport["imports"] }> {
  const { folder } = fetched;
  const found = new Map<string, CodeFile>();
  for (const { file } of codeEntries(config.config).entries) {
    const path = resolve(folder, file);
    const kind = await files.kind(path);
    const near = kind === "nothing" ? await files.findSimilar(path) : undefined;
    if (kind === "outside") found.set(file, { found: "outside" });
    else if (kind === "file") found.set(file, { found: "file" });
    else found.set(file, { found: "nothing", ...(near && { near: relative(folder, near).replaceAll(sep, "/") }) });
  }
  const entries = [...found].filter(([file, one]) => one.found === "file" && isCode(file)).map(([file]) => file);
  const report = entries.length === 0 ? undefined : await tryToAnalyze(analyze, fetched, entries, signal);
  for (const entry of entries) {
    const exports = report?.exports?.[entry];
    if (exports) found.set(entry, { found: "file", exports });
  }
  const findings = [
    ...codeFindings(config, found),
    ...(report?.findings ?? []),
    ...problemFindings(report?.problems ?? []),
  ];
  return { findings, imports: report?.imports ?? [] };
}

/** Code that cannot be read becomes a warning, so that the other findings are still reported. */
async function tryToAnalyze(
  analyze: AnalyzeCode,
  fetched: FetchedSource,
  entries: string[],
  signal: AbortSignal,
): Promise<Partial<CompileReport> & { findings?: Finding[] }> {
  try {
    return await analyze(fetched, entries, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof StepFailure)) throw error;
    return { findings: [warningAt(error.details, `${error.message}.`, `${error.details.fix}.`)] };
  }
}

async function readVariables(
  { folder }: FetchedSource,
  files: SourceFiles,
  config: Config,
  given: readonly string[],
): Promise<{ variables: DetectedVariable[]; findings: Finding[] }> {
  const { env } = config.config;
  const name = typeof env === "string" ? env : ".env";
  const [example, own] = await Promise.all([
    readEnvFile(folder, ".env.example", files),
    readEnvFile(folder, name, files),
  ]);
  const values = (await files.kind(resolve(folder, name))) === "outside" ? "outside" : own;
  return planVariables({ config, example, values, given });
}

async function readEnvFile(folder: string, name: string, files: SourceFiles): Promise<EnvFile | undefined> {
  const text = await files.text(resolve(folder, name));
  return text === undefined ? undefined : { name, text, values: parseEnv(text) };
}
