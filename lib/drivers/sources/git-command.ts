import { StepFailure, type StepContext } from "../../engine/ports/builds.ts";
import { GIT_VERSION, isOlder, parseGitVersion, PINNING_GIT_VERSION } from "../../rules/sources/git-version.ts";
import { type CommandLimits, runCommand } from "../builds/command.ts";
import type { CommandEnvironment } from "../builds/guard.ts";

/**
 * These settings replace the machine's and the repository's own configuration. Git runs no program of a repository,
 * asks no questions, and refuses objects that could harm other programs.
 */
const CONFIG = {
  "core.hooksPath": "/dev/null",
  "core.attributesFile": "/dev/null",
  "core.excludesFile": "/dev/null",
  "core.fsmonitor": "false",
  // Git writes a link as a file that holds its target.
  "core.symlinks": "false",
  "core.autocrlf": "false",
  "core.protectHFS": "true",
  "core.protectNTFS": "true",
  "core.logAllRefUpdates": "false",
  // Git does not read larger files into memory as a whole.
  "core.bigFileThreshold": "16m",
  "credential.helper": "",
  "http.followRedirects": "false",
  // A transfer without data for 30 s fails.
  "http.lowSpeedLimit": "1",
  "http.lowSpeedTime": "30",
  "protocol.version": "2",
  "transfer.fsckObjects": "true",
  // Old tools wrote these objects, which do no harm.
  "fetch.fsck.zeroPaddedFilemode": "ignore",
  "fetch.fsck.zeroPaddedDate": "ignore",
  "fetch.fsck.badTimezone": "ignore",
  "fetch.fsck.badDate": "ignore",
  "fetch.fsck.missingSpaceBeforeDate": "ignore",
  "fetch.fsck.missingSpaceBeforeEmail": "ignore",
  "fetch.fsck.missingNameBeforeEmail": "ignore",
  "fetch.fsck.missingEmail": "ignore",
  "fetch.fsck.badEmail": "ignore",
  // All fetched objects come in one file, whose size can be limited.
  "fetch.unpackLimit": "1",
  "fetch.recurseSubmodules": "false",
  "submodule.recurse": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "log.mailmap": "false",
  "log.showSignature": "false",
  // The folders may belong to another user than this process.
  "safe.directory": "*",
};

export interface GitOptions {
  /** `PATH`, and the machine's proxies and certificates. Git gets nothing else. */
  env: CommandEnvironment;
  /** An empty folder, used as a home folder without settings. */
  home: string;
  /** Protocols as in `GIT_ALLOW_PROTOCOL`. */
  protocols: readonly string[];
  /** Settings besides the usual ones. */
  config?: Readonly<Record<string, string>>;
  /** Texts that must not appear in a log. */
  secrets?: readonly string[];
  context: StepContext;
}

export interface GitCall {
  env?: CommandEnvironment;
  limits?: CommandLimits;
  /** Writes git's messages to the log while it runs. */
  logged?: boolean;
  /** Gets git's standard output, with one character for each byte. */
  output?: (piece: string) => void;
}

export interface GitResult {
  code: number;
  /** The last 200 lines of git's messages. */
  messages: string;
}

export type Git = (args: readonly string[], call?: GitCall) => Promise<GitResult>;

const MESSAGE_LINES = 200;

/**
 * Matches messages of a fetch about refs of its own repository, which is a cache that users never see: `From
 * <address>`, and for each ref ` * [new branch]  main -> refs/kept/…`. Refused refs (`!`) do not match.
 */
const ABOUT_REFS = /^(?:From \S+$| [ *+=t-] .* -> \S)/;

/** Creates a function that runs git. In its arguments, options stand before `--`, and what users named after it. */
export function createGit({ env, home, protocols, config, secrets = [], context }: GitOptions): Git {
  const settings = Object.entries({ ...CONFIG, ...config });
  const base: CommandEnvironment = {
    // Other programs find the trusted certificates by this variable. Git has a name of its own for it.
    ...(env.SSL_CERT_FILE !== undefined && { GIT_SSL_CAINFO: env.SSL_CERT_FILE }),
    ...env,
    HOME: home,
    XDG_CONFIG_HOME: home,
    // The code reads git's messages, so they must be in English.
    LC_ALL: "C",
    LANGUAGE: "C",
    GIT_ALLOW_PROTOCOL: protocols.join(":"),
    GIT_ATTR_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], n) => [
        [`GIT_CONFIG_KEY_${n}`, key],
        [`GIT_CONFIG_VALUE_${n}`, value],
      ]),
    ),
  };
  const redact = (text: string): string => secrets.reduce((shown, secret) => shown.replaceAll(secret, "***"), text);
  return async (args, { env: more, limits, logged = false, output = () => {} } = {}) => {
    const lines: string[] = [];
    const code = await runCommand({
      file: "git",
      args,
      cwd: home,
      env: { ...base, ...more },
      signal: context.signal,
      limits: { folder: home, ...limits },
      output: (bytes) => output(bytes.toString("latin1")),
      writeLine(line) {
        const text = redact(line.text);
        lines.push(text);
        if (lines.length > MESSAGE_LINES) lines.shift();
        if (logged && !ABOUT_REFS.test(text)) context.writeLine({ stream: line.stream, text });
      },
    });
    return { code, messages: lines.join("\n") };
  };
}

/** Runs git and returns its output. Throws `GitFailure` unless git succeeds. */
export async function expectGit(git: Git, args: readonly string[], call?: GitCall): Promise<string> {
  let text = "";
  const { code, messages } = await git(args, { output: (piece) => (text += piece), ...call });
  if (code !== 0) throw new GitFailure(messages);
  return Buffer.from(text, "latin1").toString("utf8");
}

/** Thrown when git fails unexpectedly: the cache is damaged, the disk is full, or a file has an impossible name. */
export class GitFailure extends Error {
  override readonly name = "GitFailure";
  readonly messages: string;

  constructor(messages: string) {
    super(`git failed: ${messages}`);
    this.messages = messages;
  }
}

/** Throws `StepFailure` for a version of git that is too old. `pinning`: git must connect to given addresses alone. */
export async function requireVersion(git: Git, pinning: boolean): Promise<void> {
  const text = await expectGit(git, ["version"]);
  const version = parseGitVersion(text);
  const least = pinning ? PINNING_GIT_VERSION : GIT_VERSION;
  if (version && !isOlder(version, least)) return;
  const fix = `Install git ${least.join(".")} or newer on this server`;
  throw failure({ message: `Git is too old here: ${text.trim().slice(0, 100)}`, fix });
}

export function failure({ message, fix }: { message: string; fix?: string }, cause?: unknown): StepFailure {
  return new StepFailure(message, fix === undefined ? {} : { fix }, cause);
}
