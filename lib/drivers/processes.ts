/** Ends processes that code has left running. */
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { allProcesses } from "./process-tree.ts";

/** The time to wait for a killed process to end. One that waits for an unresponsive disk cannot be killed. */
const PATIENCE_MS = 2_000;
/** The time after which to give up on processes that start others faster than these can be killed. */
const CHASE_MS = 30_000;
const PAUSE_MS = 5;
/** The number of processes that are examined at the same time. Each takes an open file. */
const AT_ONCE = 32;
/** The most looks at a process that cannot be identified, because code may hide its environment forever. */
const MOST_LOOKS = 200;

/** Kills all processes of a group. */
export function killGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // No process of the group is left.
  }
}

/**
 * Kills all processes of a user, and resolves when none is left. They are stopped first, so that few are left to start
 * others. Only root can do this, and it must stay root: a process that became that user could be killed or stopped by
 * the others. It gives up as soon as `isInUse` returns true: the user then has a process that must live.
 */
export async function endUser(uid: number, isInUse: () => boolean = () => false): Promise<void> {
  await endAll((pid) => belongsTo(uid, pid), ["SIGSTOP", "SIGKILL"], isInUse);
}

/** Returns whether a process is one of those to end; undefined while that cannot be determined. */
type IsTheirs = (pid: number) => Promise<boolean | undefined>;

/** Sends signals to all processes for which `isTheirs` is true, and repeats that until there are none. */
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
 * Finds processes for which `isTheirs` is true. Returns none only if there are none: a listed process may start another
 * and end before it is examined, so the list is read again until it names nothing new.
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
    // The process has ended.
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
 * Builds the command that runs a program as another user, who may have other processes. `spawn` changes the user before
 * it starts the program, and waits for that. If another process of the user stopped it then, this server would hang. So
 * the user is changed by a program, which can be stopped without harm.
 */
export function asUser(user: { uid: number; gid: number } | undefined, program: string, args: string[]): UserCommand {
  if (!user) return { program, args, options: {} };
  hasSetpriv ??= spawnSync(SETPRIV, ["--reuid=65534", "--regid=65534", "--clear-groups", "true"]).status === 0;
  if (!hasSetpriv) return { program, args, options: user };
  const flags = [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups", "--"];
  return { program: SETPRIV, args: [...flags, program, ...args], options: {} };
}

/** Identifies all processes of a program, even those that have left its process group. */
export interface ProcessTag {
  /** Name and value of a variable in the environment of each process. */
  name: string;
  value: string;
  /**
   * Their limit on file locks, which Linux does not enforce. A process can clear its environment, but it cannot raise a
   * limit again.
   */
  limit?: string;
}

/** Sets the limit on file locks, then executes the program. Bash has the option `-x` instead of `-w`. */
const SET_LIMIT = 'ulimit -w "$1" 2>/dev/null || ulimit -x "$1" 2>/dev/null; shift; exec "$@"';

/** Returns the command line that runs a program with the limit of a tag. */
export function withLimit(
  { limit }: ProcessTag,
  program: string,
  args: readonly string[],
): { program: string; args: string[] } {
  if (limit === undefined || process.platform !== "linux") return { program, args: [...args] };
  return { program: "/bin/sh", args: ["-c", SET_LIMIT, "sh", limit, program, ...args] };
}

/**
 * Kills every process with this tag, and resolves when none is left. It works on Linux only, because other systems do
 * not show the environment of other processes.
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
 * Reads the environment with which a process was started. Undefined during `exec`, which drops the old environment
 * before it sets the new one. Empty for a process of another user, a kernel thread, and a process that has ended.
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

/** Indexes of fields of `/proc/<pid>/stat`, counted after the command's name. */
const VSIZE = 20;
const START_CODE = 23;
const ENV_START = 47;
const ENV_END = 48;

/**
 * Returns false during `exec`: the process then has memory, but no address of its code, which is set last. Before that,
 * the environment is empty for a moment while its variables are counted.
 */
function hasNoEnvironment(stat: string): boolean {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[VSIZE] === "0" || (fields[START_CODE] !== "0" && fields[ENV_START] === fields[ENV_END]);
}

async function textOf(path: string): Promise<string> {
  return await readFile(path, "latin1").catch(() => "");
}
