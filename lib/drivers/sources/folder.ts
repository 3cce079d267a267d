import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { isStepFailure } from "../../engine/ports/builds.ts";
import { AppConfig } from "../../protocol/config.ts";
import { configFileNames } from "../../protocol/config-files.ts";
import { SourceFiles } from "../builds/source-files.ts";
import { refusedPattern } from "../../rules/http/cors.ts";

/** An application in a folder of this machine. */
export interface FolderApp {
  folder: string;
  /** The folder's name, for display. */
  source: string;
  config?: AppConfig;
  /** The reason why there is no `config`: what is wrong, where, and what to do. */
  problem?: string;
  /** Variables for the application's code. */
  variables: Record<string, string>;
}

export interface FolderAppOptions {
  /**
   * The root of a fetched source: no file outside of it is read. It is left out for a folder that is served in place,
   * which belongs to the operator and may name files elsewhere on the machine.
   */
  root?: string;
  /** Values for the names that the application declares. */
  environment?: Readonly<Record<string, string | undefined>>;
}

/** Returns undefined for a file that is missing or must not be read. */
type ReadText = (path: string) => Promise<string | undefined>;

/** Reads an application's configuration and variables. Never rejects: `problem` says what is wrong. */
export async function readFolderApp(
  path: string,
  { root, environment = {} }: FolderAppOptions = {},
): Promise<FolderApp> {
  const folder = resolve(path);
  const app: FolderApp = { folder, source: basename(folder) || folder, variables: {} };
  const files = root === undefined ? undefined : new SourceFiles(resolve(root));
  const read: ReadText = files ? (file) => files.text(file) : (file) => readFile(file, "utf8").catch(() => undefined);
  for (const file of configFileNames) {
    if (!existsSync(join(folder, file))) continue;
    try {
      const found = parseConfig(await read(join(folder, file)), file);
      if ("problem" in found) return { ...app, problem: found.problem };
      return { ...app, config: found.config, variables: await variablesOf(folder, found.config, environment, read) };
    } catch (error) {
      if (!isStepFailure(error)) throw error;
      return { ...app, problem: `${error.message}: ${error.details.fix}` };
    }
  }
  return {
    ...app,
    problem: `No graphlib.json or langgraph.json in ${basename(folder)}: add one that names the graphs`,
  };
}

function parseConfig(text: string | undefined, file: string): { config: AppConfig } | { problem: string } {
  if (text === undefined) return { problem: `${file} cannot be read: check its permissions` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      problem: `${file}${positionOf(error, text)} is not JSON: ${error instanceof Error ? error.message : "unreadable"}`,
    };
  }
  const parsed = AppConfig.safeParse(value);
  if (parsed.success) {
    const refused = refusedPattern(parsed.data.http.cors);
    if (!refused) return { config: parsed.data };
    return { problem: `${file}: http.cors.allow_origin_regex: ${refused.problem}. ${refused.fix}` };
  }
  const issue = parsed.error.issues[0];
  return { problem: `${file}: ${issue?.path.join(".") || "(whole file)"}: ${issue?.message ?? "rejected"}` };
}

/** Returns `:line:column` of a JSON syntax error when the message has the position; otherwise an empty text. */
function positionOf(error: unknown, text: string): string {
  const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  if (position === undefined) return "";
  const before = text.slice(0, Number(position)).split("\n");
  return `:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

/**
 * Returns the variables that an application declares: in its `.env` file (or the file that `env` names), as values or
 * names in `env`, or as names in `.env.example`. For a declared name the value in `environment` wins; names that are
 * not declared are not taken from it.
 */
async function variablesOf(
  folder: string,
  { env }: AppConfig,
  environment: Readonly<Record<string, string | undefined>>,
  read: ReadText,
): Promise<Record<string, string>> {
  const envFile = async (name: string): Promise<Record<string, string | undefined>> =>
    parseEnv((await read(resolve(folder, name))) ?? "");
  const declared: Record<string, string | undefined> = {};
  for (const name of Object.keys(await envFile(".env.example"))) declared[name] = undefined;
  Object.assign(declared, await envFile(typeof env === "string" ? env : ".env"));
  if (Array.isArray(env)) for (const name of env) declared[name] ??= undefined;
  else if (typeof env === "object") Object.assign(declared, env);
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(declared)) {
    const chosen = environment[name] ?? value;
    if (chosen !== undefined) variables[name] = chosen;
  }
  return variables;
}
