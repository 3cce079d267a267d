/** Runs `npx graphlib`: calls the control plane of a server from a terminal. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { EnvironmentError, readClientEnvironment } from "../env.ts";
import { nearName } from "../rules/text/near-name.ts";
import { list, logs, remove, revisions, rollBack } from "./commands.ts";
import { deploy } from "./deploy.ts";
import { CommandFailure, UsageFailure } from "./failure.ts";
import { jsonLine, plain, plainLines } from "../rules/text/terminal-text.ts";
import { createScreen, type Screen } from "./screen.ts";
import { connect, type Server } from "./server.ts";
import { errorMessage } from "../rules/text/error-message.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Values = Record<string, string | boolean | undefined>;

interface CliCommand {
  usage: string;
  summary: string;
  options?: Options;
  run(server: Server, screen: Screen, words: readonly string[], values: Values): Promise<void>;
}

/** Migrates the databases that the settings of a server name. It calls no server. */
async function migrate(screen: Screen): Promise<void> {
  // The drivers are loaded only by this command.
  const { migrateAll } = await import("../compose/migrate.ts");
  const migrated = await migrateAll().catch((error: unknown) => {
    if (error instanceof EnvironmentError) throw error;
    throw new CommandFailure(errorMessage(error));
  });
  const names = ["the platform", ...migrated.deployments].join(", ");
  screen.print(`The databases are those of Graphlib ${migrated.version}: ${names}`);
  screen.result(migrated);
}

const flag = { type: "boolean" } as const;
const word = { type: "string" } as const;
const follow = { type: "boolean", short: "f" } as const;

const commands: Record<string, CliCommand> = {
  deploy: {
    usage:
      "deploy <source> [--name <name>] [--ref <ref>] [--folder <folder>] [--env-file <file>] [--upload] [--follow]",
    summary: "Deploy a repository or a folder; an existing name gets a new revision",
    options: { name: word, ref: word, folder: word, "env-file": word, upload: flag, follow },
    run: (server, screen, [from = ""], values) => deploy(server, screen, from, values),
  },
  list: { usage: "list", summary: "List deployments", run: (server, screen) => list(server, screen) },
  logs: {
    usage: "logs <name> [--build [<revision>]] [--follow]",
    summary: "Show the output of a deployment, or the build log of a revision",
    options: { build: word, follow },
    run: (server, screen, [name = ""], values) => logs(server, screen, name, values),
  },
  revisions: {
    usage: "revisions <name>",
    summary: "List a deployment's revisions",
    run: (server, screen, [name = ""]) => revisions(server, screen, name),
  },
  rollback: {
    usage: "rollback <name> <revision> [--force] [--follow]",
    summary: "Serve an earlier build again; --force even if it may not read the checkpoints",
    options: { force: flag, follow },
    run: (server, screen, [name = "", to = ""], values) => rollBack(server, screen, [name, to], values),
  },
  delete: {
    usage: "delete <name> [--yes]",
    summary: "Delete a deployment with its threads, builds and secrets",
    options: { yes: { type: "boolean", short: "y" } },
    run: (server, screen, [name = ""], values) => remove(server, screen, name, values),
  },
  migrate: {
    usage: "migrate",
    summary: "Migrate the databases of DATABASE_URL or GRAPHLIB_HOME, before servers of a new version start",
    run: (_server, screen) => migrate(screen),
  },
};

const all = Object.values(commands).map(({ usage, summary }) => `  graphlib ${usage}\n      ${summary}`);
const USAGE = `${all.join("\n")}

  All commands take --json. GRAPHLIB_URL is the server (default: http://127.0.0.1:2024), GRAPHLIB_API_KEY its key.`;

async function main(args: readonly string[], json: boolean): Promise<void> {
  const at = args.findIndex((arg) => !arg.startsWith("-"));
  const name = args[at];
  const command = commandOf(name);
  if (name === undefined || name === "help" || args.some((arg) => /^(-h|--help)$/.test(arg))) {
    process.stdout.write(`${command ? `graphlib ${command.usage}\n  ${command.summary}` : USAGE}\n`);
    return;
  }
  if (!command) {
    const near = nearName(name, Object.keys(commands));
    throw new UsageFailure(`No command "${name}"${near === undefined ? "" : `: did you mean ${near}?`}`);
  }
  const options = { ...command.options, json: flag };
  const { values, positionals } = parseArgs({
    args: withBuild(args.toSpliced(at, 1)),
    options,
    allowPositionals: true,
  });
  const wanted = command.usage.match(/(?<!\[.*)<\w+>/g) ?? [];
  if (positionals.length !== wanted.length) throw new UsageFailure(`Usage: graphlib ${command.usage}`);
  const server = connect(readClientEnvironment());
  await command.run(server, createScreen(json), positionals, values);
}

function commandOf(name: string | undefined): CliCommand | undefined {
  return name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
}

/** Makes `--build` without a number mean the newest revision. */
function withBuild(args: readonly string[]): string[] {
  const isNumber = (text: string | undefined): boolean => /^\d+$/.test(text ?? "");
  return args.map((arg, at) => (arg === "--build" && !isNumber(args[at + 1]) ? "--build=newest" : arg));
}

/** Prints a failure. Returns 1 if the command failed, and 2 if it was not understood. */
function explain(thrown: unknown, json: boolean): 1 | 2 {
  const isUsage = thrown instanceof UsageFailure || isParseError(thrown);
  const message = errorMessage(thrown);
  const fix = thrown instanceof CommandFailure ? thrown.fix : undefined;
  if (json) process.stderr.write(`${jsonLine({ error: { message, fix } })}\n`);
  else
    process.stderr.write(
      `${message.split("\n").map(plain).join("\n")}\n${fix === undefined ? "" : `  ${plain(fix)}\n`}`,
    );
  const isKnown = isUsage || thrown instanceof CommandFailure || thrown instanceof EnvironmentError;
  if (!isKnown && thrown instanceof Error) process.stderr.write(`${plainLines(thrown.stack ?? "")}\n`);
  return isUsage ? 2 : 1;
}

function isParseError(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && String(thrown.code).startsWith("ERR_PARSE_ARGS");
}

// The program that read the output has ended (`| head`), so nothing can be shown any more.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => process.exit(1));

const args = process.argv.slice(2);
const wantsJson = args.includes("--json");
try {
  await main(args, wantsJson);
} catch (thrown) {
  process.exitCode = explain(thrown, wantsJson);
}
