import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { AppConfig, configFileNames } from "../../protocol/config.ts";
import { refusedPattern } from "../../rules/cors.ts";

/** An application in a folder of this machine. */
export interface FolderApp {
  folder: string;
  /** The folder's name, for people. */
  source: string;
  config?: AppConfig;
  /** Why there is no `config`: what is wrong, where, and what to do. */
  problem?: string;
  /** Variables for the application's code. */
  variables: Record<string, string>;
}

/** Reads an application's configuration and variables. Never throws: what is wrong is told as `problem`. */
export function readFolderApp(path: string, environment: Readonly<Record<string, string | undefined>>): FolderApp {
  const folder = resolve(path);
  const app: FolderApp = { folder, source: basename(folder) || folder, variables: {} };
  const file = configFileNames.find((name) => existsSync(join(folder, name)));
  if (file === undefined) {
    return {
      ...app,
      problem: `No graphlib.json or langgraph.json in ${basename(folder)}: add one that names the graphs`,
    };
  }
  const read = readConfig(join(folder, file), file);
  if ("problem" in read) return { ...app, problem: read.problem };
  return { ...app, config: read.config, variables: variablesOf(folder, read.config, environment) };
}

function readConfig(path: string, file: string): { config: AppConfig } | { problem: string } {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return { problem: `${file} cannot be read: check its permissions` };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      problem: `${file}${placeOf(error, text)} is not JSON: ${error instanceof Error ? error.message : "unreadable"}`,
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

/** `:line:column` of a JSON syntax error, where the message names the position. */
function placeOf(error: unknown, text: string): string {
  const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  if (position === undefined) return "";
  const before = text.slice(0, Number(position)).split("\n");
  return `:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

/**
 * The variables an application declares: in its `.env` file (or the file that `env` names), as values or names in
 * `env`, or as names in `.env.example`. For a declared name the server's own environment wins; nothing that is not
 * declared passes from it.
 */
function variablesOf(
  folder: string,
  config: AppConfig,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const { env } = config;
  const declared: Record<string, string | undefined> = {};
  for (const name of Object.keys(envFile(join(folder, ".env.example")))) declared[name] = undefined;
  Object.assign(declared, envFile(join(folder, typeof env === "string" ? env : ".env")));
  if (Array.isArray(env)) for (const name of env) declared[name] ??= undefined;
  else if (typeof env === "object") Object.assign(declared, env);
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(declared)) {
    const chosen = environment[name] ?? value;
    if (chosen !== undefined) variables[name] = chosen;
  }
  return variables;
}

function envFile(path: string): Record<string, string | undefined> {
  return existsSync(path) ? parseEnv(readFileSync(path, "utf8")) : {};
}
