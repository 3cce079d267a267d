import { StepFailure, type StepContext } from "../../engine/ports/builds.ts";
import { GIT_VERSION, isOlder, parseGitVersion, PINNING_GIT_VERSION } from "../../rules/sources/git-version.ts";
import { type CommandLimits, runCommand } from "../builds/command.ts";
import type { CommandEnvironment } from "../builds/guard.ts";

/**
 * Nothing of the machine's or the repository's own configuration counts, nothing of a repository runs, nobody is asked,
 * and objects that other programs would stumble over are refused.
 */
const CONFIG = {
  "core.hooksPath": "/dev/null",
  "core.attributesFile": "/dev/null",
  "core.excludesFile": "/dev/null",
  "core.fsmonitor": "false",
  // A link is written as a file that holds its target.
  "core.symlinks": "false",
  "core.autocrlf": "false",
  "core.protectHFS": "true",
  "core.protectNTFS": "true",
  "core.logAllRefUpdates": "false",
  // Larger files are not held in memory as a whole.
  "core.bigFileThreshold": "16m",
  "credential.helper": "",
  "http.followRedirects": "false",
  // A host that sends nothing for 30 s has gone.
  "http.lowSpeedLimit": "1",
  "http.lowSpeedTime": "30",
  "protocol.version": "2",
  "transfer.fsckObjects": "true",
  // What old tools wrote and does no harm.
  "fetch.fsck.zeroPaddedFilemode": "ignore",
  "fetch.fsck.zeroPaddedDate": "ignore",
  "fetch.fsck.badTimezone": "ignore",
  "fetch.fsck.badDate": "ignore",
  "fetch.fsck.missingSpaceBeforeDate": "ignore",
  "fetch.fsck.missingSpaceBeforeEmail": "ignore",
  "fetch.fsck.missingNameBeforeEmail": "ignore",
  "fetch.fsck.missingEmail": "ignore",
  "fetch.fsck.badEmail": "ignore",
  // One file for all that comes, whose size can be limited.
  "fetch.unpackLimit": "1",
  "fetch.recurseSubmodules": "false",
  "submodule.recurse": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "log.mailmap": "false",
  "log.showSignature": "false",
  // Folders here may have another owner than this process.
  "safe.directory": "*",
};

export interface GitOptions {
  /** Where programs are found, and the machine's proxies and certificates: all that passes to git. */
  env: CommandEnvironment;
  /** An empty folder, for a home without settings. */
  home: string;
  /** As `GIT_ALLOW_PROTOCOL` wants them. */
  protocols: readonly string[];
  /** Beside the usual ones. */
  config?: Readonly<Record<string, string>>;
  /** What must never stand in a log. */
  secrets?: readonly string[];
  context: StepContext;
}

export interface GitCall {
  env?: CommandEnvironment;
  limits?: CommandLimits;
  /** Tell what it says, as it goes on. */
  told?: boolean;
  /** Gets what it prints, a letter for a byte. */
  output?: (piece: string) => void;
}

export interface GitResult {
  code: number;
  /** Its messages, the last 200. */
  said: string;
}

export type Git = (args: readonly string[], call?: GitCall) => Promise<GitResult>;

const SAID_LINES = 200;

/**
 * Lines of a fetch about refs in its own repository, which is a cache that nobody sees: `From <address>`, and for each ref
 * ` * [new branch]  main -> refs/kept/…`. A refused one (`!`) is told.
 */
const ABOUT_REFS = /^(?:From \S+$| [ *+=t-] .* -> \S)/;

/** Runs git with arguments; options go before `--`, what others named comes after it. */
export function createGit({ env, home, protocols, config, secrets = [], context }: GitOptions): Git {
  const settings = Object.entries({ ...CONFIG, ...config });
  const base: CommandEnvironment = {
    // Where other programs find the certificates that are trusted; git has a name of its own for it.
    ...(env.SSL_CERT_FILE !== undefined && { GIT_SSL_CAINFO: env.SSL_CERT_FILE }),
    ...env,
    HOME: home,
    XDG_CONFIG_HOME: home,
    // Its messages are read.
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
  const hidden = (text: string): string => secrets.reduce((shown, secret) => shown.replaceAll(secret, "***"), text);
  return async (args, { env: more, limits, told = false, output = () => {} } = {}) => {
    const said: string[] = [];
    const code = await runCommand({
      file: "git",
      args,
      cwd: home,
      env: { ...base, ...more },
      signal: context.signal,
      limits: { folder: home, ...limits },
      output: (bytes) => output(bytes.toString("latin1")),
      writeLine(line) {
        const text = hidden(line.text);
        said.push(text);
        if (said.length > SAID_LINES) said.shift();
        if (told && !ABOUT_REFS.test(text)) context.writeLine({ stream: line.stream, text });
      },
    });
    return { code, said: said.join("\n") };
  };
}

/** What a call without a reason to fail gave; throws with its messages. */
export async function expectGit(git: Git, args: readonly string[], call?: GitCall): Promise<string> {
  let text = "";
  const { code, said } = await git(args, { output: (piece) => (text += piece), ...call });
  if (code !== 0) throw new GitFailure(said);
  return Buffer.from(text, "latin1").toString("utf8");
}

/** Git refused what it should be able to do: the cache is damaged, the disk full, or a file has an impossible name. */
export class GitFailure extends Error {
  override readonly name = "GitFailure";
  readonly said: string;

  constructor(said: string) {
    super(`git failed: ${said}`);
    this.said = said;
  }
}

/** Throws `StepFailure` for a git that would not obey. `pinning`: it has to go where it is told. */
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
