/** Checks the text of an application's configuration. */
import type * as z from "zod";
import { A2A_SINCE, AppConfig } from "../../protocol/config.ts";
import { configFileNames } from "../../protocol/config-files.ts";
import { isObject } from "../../protocol/json.ts";
import type { Finding } from "../../protocol/preflight.ts";
import { compareVersions, parseVersion } from "../../protocol/versions.ts";
import { configNotes } from "./config-notes.ts";
import { refusedPattern } from "../http/cors.ts";
import { errorAt, inFile, noteAt, warningAt } from "./finding.ts";
import { type JsonText, readJsonText } from "../text/json-text.ts";
import { nearName } from "../text/near-name.ts";

export interface ReadConfig {
  /** Undefined when the configuration can't be used. */
  config?: AppConfig;
  /** Undefined when the text is not JSON. */
  text?: JsonText;
  findings: Finding[];
}

const EXAMPLE = `{ "graphs": { "agent": "./src/agent.ts:graph" } }`;

/**
 * Reads the first configuration file in the order of `configFileNames`. `texts` are keyed by file name; `elsewhere` are
 * folders of the source that have a configuration.
 */
export function chooseConfig(
  texts: ReadonlyMap<string, string>,
  folder: string,
  elsewhere: readonly string[],
): ReadConfig & { file: string | null } {
  const [file, other] = configFileNames.filter((name) => texts.has(name));
  if (file === undefined) {
    const message = `There is no graphlib.json or langgraph.json in ${folder === "" ? "the source" : folder}`;
    const add = `Add a graphlib.json such as ${EXAMPLE}`;
    const fix =
      elsewhere.length === 0 ? `${add}.` : `Choose the folder ${elsewhere.map(quoted).join(" or ")}, which has one.`;
    const missing = errorAt({ file: "graphlib.json" }, `${message}.`, fix);
    return { file: null, findings: [elsewhere.length === 0 ? missing : { ...missing, folders: [...elsewhere] }] };
  }
  const read = readConfig(file, texts.get(file) ?? "");
  if (other === undefined) return { file, ...read };
  const two = warningAt({ file: other }, `${file} is read and ${other} is not: both are there.`, `Remove ${other}.`);
  return { file, ...read, findings: [...read.findings, two] };
}

function quoted(folder: string): string {
  return folder === "" ? "above, the source's own" : JSON.stringify(folder);
}

/** Reads a configuration. Total. */
export function readConfig(file: string, source: string): ReadConfig {
  const text = readJsonText(source);
  if ("problem" in text) return { findings: [errorAt(inFile(file, text.place), `${text.problem}.`, text.fix)] };
  if (!isObject(text.value)) {
    const message = `${file} has to hold an object.`;
    return { text, findings: [errorAt(inFile(file, text.at([])), message, `Write ${EXAMPLE}.`)] };
  }
  const parsed = AppConfig.safeParse(text.value);
  if (!parsed.success) {
    return { text, findings: parsed.error.issues.map((issue) => findingOf(file, text, deepest(issue))) };
  }
  const unread = patternFindings(file, text, parsed.data);
  if (unread.length > 0) return { text, findings: unread };
  const findings = [...keyFindings(file, text, parsed.data), ...versionFindings(file, text, parsed.data)];
  return { config: parsed.data, text, findings };
}

/** Reports patterns that can't be matched in linear time, because they are not matched at all. */
function patternFindings(file: string, text: JsonText, { http }: AppConfig): Finding[] {
  const refused = refusedPattern(http.cors);
  if (!refused) return [];
  const path = ["http", "cors", "allow_origin_regex"];
  const message = `${path.join(".")} is ${shown(valueAt(text.value, path))}: ${refused.problem}.`;
  return [errorAt(inFile(file, text.at(path)), message, refused.fix)];
}

type Issue = { path: PropertyKey[]; message: string };

/** Returns the innermost issue. For a union it is the issue of the alternative that fits best. */
function deepest(issue: z.core.$ZodIssue): Issue {
  if (issue.code !== "invalid_union") return issue;
  const inner = issue.errors.map((issues) => issues.map(deepest).toSorted((a, b) => b.path.length - a.path.length)[0]);
  const best = inner
    .filter((one) => one !== undefined)
    .toSorted((a, b) => b.path.length - a.path.length || Number(isType(a)) - Number(isType(b)))[0];
  return best ? { path: [...issue.path, ...best.path], message: best.message } : issue;
}

/** Returns whether the type is wrong altogether, which means that another alternative was meant. */
function isType({ message }: Issue): boolean {
  return message.startsWith("Invalid input: expected");
}

function findingOf(file: string, text: JsonText, { path, message }: Issue): Finding {
  const where = inFile(file, text.at(path));
  const name = path.map(String).join(".");
  const value = valueAt(text.value, path);
  const problem = message.replace(/^Invalid input: /, "");
  if (value === undefined) return errorAt(where, `"${name}" is missing: ${problem}.`, fixOf(path, value));
  return errorAt(where, `${name} is ${shown(value)}: ${problem}.`, fixOf(path, value));
}

function fixOf(path: readonly PropertyKey[], value: unknown): string {
  const [top, ...rest] = path;
  if (top === "graphs" && rest.length === 0) return `Write "graphs": { "agent": "./src/agent.ts:graph" }.`;
  if (isCode(path)) {
    const file = typeof value === "string" ? value.replace(/:.*$/, "") : "";
    return `Write "${file || "./src/agent.ts"}:graph": a file, a colon and the name that the file exports.`;
  }
  if (top === "node_version") return `Write "node_version": "22".`;
  if (top === "api_version") return `Write "api_version": "0.4.21".`;
  if (top === "env") return "Write the path of a file, an object of values, or a list of names.";
  return `Correct "${path.map(String).join(".")}", or remove it.`;
}

/** Returns whether the value must be a file and an export of the application. */
function isCode(path: readonly PropertyKey[]): boolean {
  if (path[0] === "graphs") return path[2] === undefined || path[2] === "path";
  return /^(?:auth\.path|http\.app|store\.index\.embed)$/.test(path.map(String).join("."));
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return undefined;
    inner = Reflect.get(inner, key);
  }
  return inner;
}

function shown(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
}

function keyFindings(file: string, text: JsonText, config: AppConfig): Finding[] {
  return configNotes(config).map(({ setting, why }) => {
    const near = setting.includes(".") ? undefined : nearName(setting, Object.keys(AppConfig.shape));
    const fix = near === undefined ? undefined : `Write "${near}" if that is meant.`;
    return noteAt(inFile(file, text.at(setting.split("."))), `"${setting}" has no effect: ${why}.`, fix);
  });
}

function versionFindings(file: string, text: JsonText, { api_version: written }: AppConfig): Finding[] {
  if (written === undefined) return [];
  const where = inFile(file, text.at(["api_version"]));
  const version = parseVersion(written);
  const fix = `Write "api_version": "${A2A_SINCE.join(".")}" or a later one, or remove it.`;
  if (version === undefined) return [warningAt(where, `api_version "${written}" is no version, and ignored.`, fix)];
  if (compareVersions(version, A2A_SINCE) >= 0) return [];
  const message = `api_version ${written} is older than Agent2Agent (${A2A_SINCE.join(".")}): A2A is off for this deployment.`;
  return [warningAt(where, message, fix)];
}
