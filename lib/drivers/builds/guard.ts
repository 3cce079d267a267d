import { type ChildProcess, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { endStrays, killGroup } from "../processes.ts";

/** A variable in the environment of all processes of a command. It finds those that have left the group. */
const TAG_NAME = "GRAPHLIB_COMMAND";

/**
 * `sh` runs this script for every command; the command itself comes as arguments and is never read as text. A second
 * process waits at descriptor 3, whose other end the server holds: when the server ends, in whatever way, it kills all
 * processes of the command, including those that left the group but kept the environment. A process has no environment
 * while it starts another program, so two searches in a row must find nothing. A shell costs 10 ms and 3 MB for each
 * command, a guard in Node.js 40 ms and 45 MB.
 */
const GUARD = `
tag=$1 blocks=$2 nice=$3
shift 3
strays() {
  round=0 empty=0
  while [ $round -lt 100 ] && [ $empty -lt 2 ]; do
    round=$((round + 1)) empty=$((empty + 1))
    for path in $(command -p grep -lsF "${TAG_NAME}=$tag" /proc/[0-9]*/environ); do
      empty=0
      path=\${path%/environ}
      kill -9 "\${path##*/}"
    done
  done
}
(
  trap '' HUP INT TERM
  read -r ended <&3
  strays
  kill -9 0
) </dev/null >/dev/null 2>&1 &
watcher=$!
exec 3<&-
trap : HUP INT TERM
ulimit -c 0
ulimit -f "$blocks" 2>/dev/null
echo 800 2>/dev/null >/proc/$$/oom_score_adj
${TAG_NAME}=$tag command -p nice -n "$nice" "$@"
code=$?
{
  strays
  kill -9 "$watcher"
  wait "$watcher"
} >/dev/null 2>&1
exit "$code"
`;

/** The unit of `ulimit -f`, in bytes. */
const BLOCK = 512;
const NICE = 10;
/** The exit code of a shell after `SIGKILL`. */
const KILLED = 137;
/**
 * Linux may divide its cores by session first, and by `nice` only within one. Then the session has to be nice as well.
 * That happens after a delay: next to busy sessions, it makes a command of 20 ms take 200 ms.
 */
const SESSION_NICE_MS = 500;
/** The time that a command has to end by itself. */
const GRACE_MS = 1_000;
/** The time after which a process counts as ended that cannot be killed, because it waits for an unresponsive disk. */
const GIVE_UP_MS = 1_900;
/** The longest wait for output that a process outside of the group holds open. */
const OUTPUT_MS = 1_000;

/** The whole environment of a command. */
export type CommandEnvironment = Readonly<Record<string, string | undefined>>;

export interface GuardedOptions {
  /** An absolute path. */
  program: string;
  args: readonly string[];
  cwd: string;
  env: CommandEnvironment;
  input?: string;
  /** The user of the processes; this process's own when left out. */
  user?: { uid: number; gid: number };
  /** The size of the largest file that it may write. */
  fileBytes: number;
  /** Identifies the command's processes; no other environment has it. */
  tag: string;
}

/** A command and all processes that it starts: a process group of low priority, which never outlives this process. */
export interface Guarded {
  /** The number of the process and of its group. */
  readonly pid: number;
  readonly out: Readable;
  readonly err: Readable;
  /** Resolves to a shell's exit code, which is 128 plus the signal of a killed process. No process is left then. */
  readonly ended: Promise<number>;
  /** Sends `SIGTERM` to the group and kills it a second later. `ended` resolves within two seconds. */
  stop(): void;
}

/** Starts a command. Rejects when that fails. */
export async function startGuarded(options: GuardedOptions): Promise<Guarded> {
  const { program, args, cwd, env, input, user, fileBytes, tag } = options;
  const blocks = String(Math.ceil(fileBytes / BLOCK));
  const child = spawn("/bin/sh", ["-c", GUARD, "guard", tag, blocks, String(NICE), program, ...args], {
    cwd,
    env: asProcessEnv(env),
    detached: true,
    ...user,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe", "pipe"],
  });
  for (const half of [child, ...child.stdio]) {
    half?.on("error", () => {
      // The promise below rejects when the start fails, and `exit` reports when the process ends.
    });
  }
  await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  child.stdin?.end(input);
  const { pid, stdout: out, stderr: err } = child;
  if (pid === undefined || out === null || err === null) throw new Error("a command was started without its output");
  const { promise: ended, resolve } = Promise.withResolvers<number>();
  onEnd(child, pid, tag, resolve);
  const niceTimer = setTimeout(() => {
    // The file may be missing, or not writable.
    writeFile(`/proc/${pid}/autogroup`, String(NICE)).catch(() => {});
  }, SESSION_NICE_MS);
  void ended.then(() => clearTimeout(niceTimer));
  let stopped = false;
  return {
    pid,
    out,
    err,
    ended,
    stop() {
      if (stopped) return;
      stopped = true;
      const timers = [setTimeout(() => killGroup(pid), GRACE_MS), setTimeout(resolve, GIVE_UP_MS, KILLED)];
      child.once("exit", () => timers.forEach(clearTimeout));
      terminateGroup(pid);
    },
  };
}

/** Next.js declares that every environment has NODE_ENV; this one need not. */
export function asProcessEnv(env: CommandEnvironment): NodeJS.ProcessEnv {
  return env as NodeJS.ProcessEnv;
}

/** Calls back when the group's first process has ended, no other is left, and all output has been read. */
function onEnd(child: ChildProcess, pid: number, tag: string, done: (code: number) => void): void {
  const closed = new Promise((resolve) => child.once("close", resolve));
  child.once("exit", (code) => {
    // A guard that ended by itself has killed all other processes. One that was killed had no time to search for them.
    killGroup(pid);
    const swept = code === null ? endStrays({ name: TAG_NAME, value: tag }) : undefined;
    child.stdio[3]?.destroy();
    setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, OUTPUT_MS).unref();
    void Promise.all([closed, swept]).then(() => done(code ?? KILLED));
  });
}

function terminateGroup(group: number): void {
  try {
    process.kill(-group, "SIGTERM");
  } catch {
    // No process of the group is left.
  }
}
