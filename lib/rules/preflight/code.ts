/** Checks the files and exports that a configuration names. */
import { type AppConfig, parseGraphPath } from "../../protocol/config.ts";
import type { CompileReport } from "../../protocol/compile.ts";
import type { DetectedGraph, Finding } from "../../protocol/preflight.ts";
import { errorAt, inFile, warningAt } from "./finding.ts";
import type { JsonText } from "../text/json-text.ts";
import { nearName } from "../text/near-name.ts";

/** An entry of the configuration that names a file of the application and an export. */
export interface CodeEntry {
  /** The path of the entry as text: `graphs.agent`. */
  key: string;
  path: readonly PropertyKey[];
  file: string;
  exportName: string;
}

/** The state of a file that an entry names. */
export type CodeFile =
  | { found: "nothing"; near?: string }
  /** The file lies outside of the source, or cannot be read. */
  | { found: "outside" }
  /** `exports` is set when they are known without running the file. */
  | { found: "file"; exports?: readonly string[] };

/** Returns the entries that can be served, and those that are Python. */
export function codeEntries(config: AppConfig): { entries: CodeEntry[]; python: CodeEntry[] } {
  const graphs = Object.entries(config.graphs).map(([graph, { path }]) => entryOf(["graphs", graph], path));
  const others = [
    { path: ["auth", "path"], value: config.auth?.path },
    { path: ["http", "app"], value: config.http.app },
    { path: ["store", "index", "embed"], value: config.store?.index?.embed },
  ].flatMap(({ path, value }) => (value === undefined || value.startsWith("openai:") ? [] : entryOf(path, value)));
  const all = [...graphs, ...others];
  const inPython = pythonTest(config);
  return { entries: all.filter(({ file }) => !inPython(file)), python: all.filter(({ file }) => inPython(file)) };
}

function entryOf(path: readonly string[], value: string): CodeEntry {
  return { key: path.join("."), path, ...parseGraphPath(value) };
}

/**
 * Returns a predicate for Python files: by their extension, or named as a module with dots (`my_agent.graph`). If the
 * configuration names a version of Python, none of Node.js, and no graph in JavaScript, every file is Python.
 */
function pythonTest(config: AppConfig): (file: string) => boolean {
  const asksForPython = config.python_version !== undefined && config.node_version === undefined;
  const hasCode = Object.values(config.graphs).some(({ path }) => isCode(parseGraphPath(path).file));
  return (file) => file.endsWith(".py") || isPythonModule(file) || (asksForPython && !hasCode && !isCode(file));
}

const PYTHON_MODULE = /^[a-z_]\w*(?:\.[a-z_]\w*)+$/i;

/** Returns whether the name is a Python module. Extensions of code and of common text files rule that out. */
function isPythonModule(file: string): boolean {
  return PYTHON_MODULE.test(file) && !isCode(file) && !/\.(?:json|md|txt|ya?ml|toml)$/i.test(file);
}

/** Returns the graphs of a configuration that can be served. */
export function detectedGraphs(config: AppConfig): DetectedGraph[] {
  const inPython = pythonTest(config);
  return Object.entries(config.graphs).flatMap(([graph, { path, description }]) => {
    const { file, exportName } = parseGraphPath(path);
    return inPython(file) ? [] : { graph, file, export: exportName, ...(description && { description }) };
  });
}

/** Returns the findings of all entries. `files` are keyed by the name in the entry. */
export function codeFindings(
  { file, text, config }: { file: string; text: JsonText; config: AppConfig },
  files: ReadonlyMap<string, CodeFile>,
): Finding[] {
  const { entries, python } = codeEntries(config);
  const none = detectedGraphs(config).length === 0;
  return [
    ...python.map((entry) => pythonFinding(file, text, entry, none)),
    ...entries.flatMap((entry) => entryFinding(inFile(file, text.at(entry.path)), entry, files.get(entry.file)) ?? []),
  ];
}

function pythonFinding(file: string, text: JsonText, { key, path }: CodeEntry, isError: boolean): Finding {
  const where = inFile(file, text.at(path));
  const message = `${key} is written in Python, which is not supported yet`;
  if (isError || path[0] !== "graphs") {
    return errorAt(where, `${message}.`, "Point it to a graph of LangGraph.js, in TypeScript or JavaScript.");
  }
  return warningAt(
    where,
    `${message}: the other graphs are deployed without it.`,
    `Remove it, or write it in TypeScript.`,
  );
}

/** Returns whether a worker can load the file. */
export function isCode(file: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(file);
}

function entryFinding(where: Parameters<typeof errorAt>[0], entry: CodeEntry, found: CodeFile | undefined) {
  const { key, file, exportName } = entry;
  const name = file.replace(/^\.\//, "");
  const subject = `${key} points to ${file}:${exportName}, but`;
  if (!found || found.found === "outside") {
    return errorAt(where, `${subject} ${name} lies outside of the source.`, "Point it to a file of the application.");
  }
  if (found.found === "nothing") {
    const fix =
      found.near === undefined
        ? "Commit the file, or name one that is there."
        : `Write "./${found.near}:${exportName}".`;
    return errorAt(where, `${subject} there is no file ${name}.`, fix);
  }
  if (!isCode(file)) {
    return errorAt(
      where,
      `${subject} ${name} is neither TypeScript nor JavaScript.`,
      "Point it to the file with the code.",
    );
  }
  if (!found.exports || found.exports.includes(exportName)) return undefined;
  const names = found.exports.toSorted();
  const exported = names.length === 0 ? "It exports nothing" : `It exports: ${shownNames(names)}`;
  return errorAt(
    where,
    `${subject} ${name} has no export "${exportName}". ${exported}.`,
    exportFix(file, exportName, names),
  );
}

const MOST_NAMES = 20;

function shownNames(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return names.slice(0, MOST_NAMES).join(", ") + more;
}

/** Usual names of graphs. */
const USUAL = ["graph", "agent", "app", "workflow", "default"];

function exportFix(file: string, exportName: string, names: readonly string[]): string {
  const meant = nearName(exportName, names) ?? USUAL.find((name) => names.includes(name)) ?? names[0];
  return meant === undefined ? `Export it: "export const ${exportName} = …".` : `Write "${file}:${meant}".`;
}

/** Turns compile errors into findings. */
export function problemFindings(problems: CompileReport["problems"]): Finding[] {
  return problems.map(({ text, optional, fix: known, ...where }) => {
    const isMissing = text.startsWith("There is no file");
    const fix = known ?? (isMissing ? "Commit the file, or correct the import." : "Fix the code there.");
    if (optional === true) return warningAt(where, `${text}.`, fix);
    return { ...errorAt(where, `${text}.`, fix), step: "building" };
  });
}
