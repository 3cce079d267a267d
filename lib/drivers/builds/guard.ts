import { type ChildProcess, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { endStrays, killGroup } from "../processes.ts";

/** In the environment of all of a command's processes: finds those that have left its group. */
const MARK_NAME = "GRAPHLIB_COMMAND";

/**
 * `sh` does this for every command; the command itself comes as its arguments and is never read as text. A second
 * process waits at descriptor 3, of which the server holds the other end: when the server ends, in whatever way, all of
 * the command's processes are killed, those too that left the group but kept the environment. A process that is
 * becoming another program has no environment at that moment, so two searches in a row must find nothing. It is a shell
 * because that costs 10 ms and 3 MB for each command, and a guard in Node.js 40 ms and 45 MB.
 */
const GUARD = `
mark=$1 blocks=$2 nice=$3
shift 3
strays() {
  round=0 empty=0
  while [ $round -lt 100 ] && [ $empty -lt 2 ]; do
    round=$((round + 1)) empty=$((empty + 1))
    for path in $(command -p grep -lsF "${MARK_NAME}=$mark" /proc/[0-9]*/environ); do
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
${MARK_NAME}=$mark command -p nice -n "$nice" "$@"
code=$?
{
  strays
  kill -9 "$watcher"
  wait "$watcher"
} >/dev/null 2>&1
exit "$code"
`;

/** `ulimit -f` counts in these. */
const BLOCK = 512;
const NICE = 10;
/** Exit code of a shell for what was killed. */
const KILLED = 137;
/**
 * Linux may share out its cores by session first, and by `nice` only within one; then the session has to be nice as
 * well. Not at once: beside others that are busy, it makes a command of 20 ms take 200 ms.
 */
const SESSION_NICE_MS = 500;
/** How long a command may take to end by itself. */
const GRACE_MS = 1_000;
/** What can't be killed, because it waits for a disk that does not answer, is not waited for. */
const GIVE_UP_MS = 1_900;
/** Output that a process outside of the group holds open is not waited for longer than this. */
const LAST_WORDS_MS = 1_000;

/** All of a command's environment. */
export type CommandEnvironment = Readonly<Record<string, string | undefined>>;

export interface GuardedOptions {
  /** Absolute path. */
  program: string;
  args: readonly string[];
  cwd: string;
  env: CommandEnvironment;
  input?: string;
  /** Whose processes they are; this process's own user when left out. */
  user?: { uid: number; gid: number };
  /** Largest file that it may write. */
  fileBytes: number;
  /** Names the command's processes; nobody else's environment has it. */
  mark: string;
}

/** A command and all that it starts: a process group of low priority, which never outlives this process. */
export interface Guarded {
  /** Also the number of the process group. */
  readonly pid: number;
  readonly out: Readable;
  readonly err: Readable;
  /** Exit code, as a shell gives it: 128 and the signal for what was killed. Nothing of the group runs any more. */
  readonly ended: Promise<number>;
  /** Ends all of it: asked first, killed a second later. `ended` resolves within two seconds. */
  stop(): void;
}

/** Rejects when it can't be started. */
export async function startGuarded(options: GuardedOptions): Promise<Guarded> {
  const { program, args, cwd, env, input, user, fileBytes, mark } = options;
  const blocks = String(Math.ceil(fileBytes / BLOCK));
  const child = spawn("/bin/sh", ["-c", GUARD, "guard", mark, blocks, String(NICE), program, ...args], {
    cwd,
    env: asProcessEnv(env),
    detached: true,
    ...user,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe", "pipe"],
  });
  for (const half of [child, ...child.stdio]) {
    half?.on("error", () => {
      // It could not be started, which the promise below tells; or it went away, which `exit` tells.
    });
  }
  await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  child.stdin?.end(input);
  const { pid, stdout: out, stderr: err } = child;
  if (pid === undefined || out === null || err === null) throw new Error("a command was started without its output");
  const { promise: ended, resolve } = Promise.withResolvers<number>();
  whenOver(child, pid, mark, resolve);
  const later = setTimeout(() => {
    // There may be no such file, or it may be nobody's to write.
    writeFile(`/proc/${pid}/autogroup`, String(NICE)).catch(() => {});
  }, SESSION_NICE_MS);
  void ended.then(() => clearTimeout(later));
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
      askGroup(pid);
    },
  };
}

/** Next.js declares that every environment has NODE_ENV; this one need not. */
export function asProcessEnv(env: CommandEnvironment): NodeJS.ProcessEnv {
  return env as NodeJS.ProcessEnv;
}

/** Calls back when the group's first process has ended, nothing of it is left, and what it said has been read. */
function whenOver(child: ChildProcess, pid: number, mark: string, over: (code: number) => void): void {
  const closed = new Promise((resolve) => child.once("close", resolve));
  child.once("exit", (code) => {
    // When the guard has ended by itself nothing is left by now; when it was killed, it had no time to look.
    killGroup(pid);
    const swept = code === null ? endStrays({ name: MARK_NAME, value: mark }) : undefined;
    child.stdio[3]?.destroy();
    setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, LAST_WORDS_MS).unref();
    void Promise.all([closed, swept]).then(() => over(code ?? KILLED));
  });
}

function askGroup(group: number): void {
  try {
    process.kill(-group, "SIGTERM");
  } catch {
    // All of it has gone.
  }
}
