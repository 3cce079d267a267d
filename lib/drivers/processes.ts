/** Ends processes that code has left behind. */
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { allProcesses } from "./process-tree.ts";

/** A process that can't be killed, because it waits for a disk that does not answer, is not waited for longer. */
const PATIENCE_MS = 2_000;
/** Processes that start others faster than these can be killed are not chased for longer. */
const CHASE_MS = 30_000;
const PAUSE_MS = 5;
/** So many processes are looked at side by side: each look holds a file open. */
const AT_ONCE = 32;
/** A process that can't be told is looked at so often: code may hide its environment for good. */
const MOST_LOOKS = 200;

/** All of a process group, at once. */
export function killGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // All of it has gone.
  }
}

/**
 * Kills all processes of a user, and resolves when none is left. They are stopped first, so that few are left to start
 * others. Only root may ask for it, and does it as root: whoever becomes that user can be killed, or stopped, by it.
 * `isKept` ends it when the user has a process again that is wanted.
 */
export async function endUser(uid: number, isInUse: () => boolean = () => false): Promise<void> {
  await endAll((pid) => belongsTo(uid, pid), ["SIGSTOP", "SIGKILL"], isInUse);
}

/** Decides whether a process is one of those to end; `undefined` while it can't be told. */
type IsTheirs = (pid: number) => Promise<boolean | undefined>;

/** Signals all processes that `isTheirs` holds of, again and again until there are none. */
async function endAll(
  isTheirs: IsTheirs,
  signals: readonly NodeJS.Signals[],
  isInUse: () => boolean = () => false,
): Promise<void> {
  const until = performance.now() + CHASE_MS;
  const signalledAt = new Map<number, number>();
  while (!isInUse()) {
    const pids = await findProcesses(isTheirs, until);
    if (isInUse()) return;
    const now = performance.now();
    for (const pid of pids) {
      if (!signalledAt.has(pid)) signalledAt.set(pid, now);
      for (const signal of signals) sendTo(pid, signal);
    }
    const isDying = pids.some((pid) => now - (signalledAt.get(pid) ?? now) < PATIENCE_MS);
    if (!isDying || now > until) return;
    await sleep(PAUSE_MS);
  }
}

/**
 * Finds processes that `isTheirs` holds of, and returns none only if there are none: a process that was listed may start
 * another and end before it is looked at, so the list is read again until it names nothing new.
 */
async function findProcesses(isTheirs: IsTheirs, until: number): Promise<number[]> {
  const others = new Set<number>();
  const looks = new Map<number, number>();
  for (let rest = allProcesses(); rest.length > 0 && performance.now() < until;) {
    const found: number[] = [];
    for (let from = 0; from < rest.length; from += AT_ONCE) {
      const some = rest.slice(from, from + AT_ONCE);
      const theirs = await Promise.all(some.map(isTheirs));
      for (const [at, pid] of some.entries()) {
        const look = (looks.get(pid) ?? 0) + 1;
        looks.set(pid, look);
        if (theirs[at] === true) found.push(pid);
        else if (theirs[at] === false || look === MOST_LOOKS) others.add(pid);
      }
    }
    if (found.length > 0) return found;
    if (rest.some((pid) => !others.has(pid))) await sleep(PAUSE_MS);
    rest = allProcesses().filter((pid) => !others.has(pid));
  }
  return [];
}

/** A process belongs to a user if any of its four user ids is that user's. Zombies do not count. */
async function belongsTo(uid: number, pid: number): Promise<boolean> {
  const status = await textOf(`/proc/${pid}/status`);
  return new RegExp(`^Uid:.*\\b${uid}\\b`, "m").test(status) && !/^State:\s*[ZX]/m.test(status);
}

function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has gone.
  }
}

const SETPRIV = "/usr/bin/setpriv";
let hasSetpriv: boolean | undefined;

/** The command and options that spawn a program as another user. */
export interface UserCommand {
  program: string;
  args: string[];
  /** These options go to `spawn`. */
  options: { uid?: number; gid?: number };
}

/**
 * Builds the command that runs a program as another user, some of whose processes may be alive. `spawn` changes the user before it starts the program
 * and waits for that: a process of the user that stops it in between would stop this server. A program that does it by
 * itself can only be stopped itself.
 */
export function asUser(user: { uid: number; gid: number } | undefined, program: string, args: string[]): UserCommand {
  if (!user) return { program, args, options: {} };
  hasSetpriv ??= spawnSync(SETPRIV, ["--reuid=65534", "--regid=65534", "--clear-groups", "true"]).status === 0;
  if (!hasSetpriv) return { program, args, options: user };
  const flags = [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups", "--"];
  return { program: SETPRIV, args: [...flags, program, ...args], options: {} };
}

/** What finds the processes of a program, wherever they have gone. */
export interface ProcessTag {
  /** Of a variable in the environment of each. */
  name: string;
  value: string;
  /**
   * Their limit on file locks, which Linux does not enforce: a process may clear its environment, and may not raise a
   * limit again.
   */
  limit?: string;
}

/** Gives itself the limit, then becomes the program. `-x` is what bash calls it. */
const SET_LIMIT = 'ulimit -w "$1" 2>/dev/null || ulimit -x "$1" 2>/dev/null; shift; exec "$@"';

/** The command line of a program that bears the limit of a mark. */
export function withLimit(
  { limit }: ProcessTag,
  program: string,
  args: readonly string[],
): { program: string; args: string[] } {
  if (limit === undefined || process.platform !== "linux") return { program, args: [...args] };
  return { program: "/bin/sh", args: ["-c", SET_LIMIT, "sh", limit, program, ...args] };
}

/**
 * Kills every process that bears this mark, wherever it has gone, and resolves when none is left. It works on Linux;
 * elsewhere nobody can look into another process's environment.
 */
export async function endStrays(tag: ProcessTag): Promise<void> {
  await endAll((pid) => hasTag(tag, pid), ["SIGKILL"]);
}

async function hasTag({ limit, ...variable }: ProcessTag, pid: number): Promise<boolean | undefined> {
  if (limit !== undefined && hasLimit(limit, await textOf(`/proc/${pid}/limits`))) return true;
  const environment = await environmentOf(pid);
  if (environment === undefined) return undefined;
  return `\0${environment}\0`.includes(`\0${variable.name}=${variable.value}\0`);
}

function hasLimit(limit: string, limits: string): boolean {
  return new RegExp(`^Max file locks +\\S+ +${limit} `, "m").test(limits);
}

/**
 * Reads the environment that a process was started with; `undefined` while it becomes another program (`exec`), which
 * takes its old environment from it before it has the new one. A process of another user, a thread of the kernel and a
 * process that has ended have none.
 */
async function environmentOf(pid: number): Promise<string | undefined> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1");
    return environment !== "" || hasNoEnvironment(await readFile(`/proc/${pid}/stat`, "latin1"))
      ? environment
      : undefined;
  } catch {
    return "";
  }
}

/** Fields of `/proc/<pid>/stat`, counted from behind the command's name. */
const VSIZE = 20;
const ENV_START = 47;
const ENV_END = 48;

/** A process in mid-`exec` has memory, and no place for an environment in it. */
function hasNoEnvironment(stat: string): boolean {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[VSIZE] === "0" || (fields[ENV_START] !== "0" && fields[ENV_START] === fields[ENV_END]);
}

async function textOf(path: string): Promise<string> {
  return await readFile(path, "latin1").catch(() => "");
}
