/**
 * Ends workers, and all that they have started, when this process has ended, in whatever way: a worker that is in an
 * endless loop does not hear that nobody needs it any more.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomInt, randomUUID } from "node:crypto";
import { Socket } from "node:net";
import { endStrays, killGroup, killUser, type Mark } from "../processes.ts";

/** In the environment of every process of a worker: finds those that have left its group. */
const MARK_NAME = "GRAPHLIB_WORKER";
const MARK = randomUUID();
/** The first digits of the limit on file locks of every confined process: six more tell the worker. */
const LIMIT = String(randomInt(100_000_000, 999_999_999));

/**
 * Reads `+ group` and `- group` until its input ends, which is when this process does. One for all workers costs them
 * nothing. It is a shell because that takes 2 MB, and Node.js 45 MB.
 */
const KEEPER = `
mark=$1 limit=$2
trap '' HUP INT TERM
kept=
while read -r sign group; do
  if [ "$sign" = + ]; then kept="$kept $group"
  else
    left=
    for one in $kept; do [ "$one" = "$group" ] || left="$left $one"; done
    kept=$left
  fi
done
for one in $kept; do kill -9 "-$one"; done
for round in 1 2 3; do
  found=$(
    command -p grep -lsF "${MARK_NAME}=$mark" /proc/[0-9]*/environ
    command -p grep -lsE "^Max file locks +[0-9a-z]+ +$limit[0-9]{6} " /proc/[0-9]*/limits
  )
  [ -n "$found" ] || break
  for path in $found; do
    path=\${path%/*}
    kill -9 "\${path##*/}"
  done
done
`;

const kept = new Set<number>();
const confined = new Map<number, Confined>();
/** Those of processes that have ended too. */
const users = new Set<number>();
let keeper: ChildProcess | undefined;
let workers = 0;
let anyConfined = false;

/** How the code of a worker is held to its own. */
export interface Confined {
  /** Its first process is a fence's: all that it has started ends with that. */
  fenced: boolean;
  /** The user that is this deployment's alone. */
  uid?: number;
}

/** Marks for the processes of one worker. */
export function newMark(): Mark {
  const number = ++workers;
  return {
    name: MARK_NAME,
    value: `${MARK}.${number}`,
    limit: `${LIMIT}${String(number % 1_000_000).padStart(6, "0")}`,
  };
}

/** Whether any code has ever been held to its own here. */
export function hasConfined(): boolean {
  return anyConfined;
}

/** Whether a deployment has, or had, this user as its own. */
export function isConfinedUser(uid: number): boolean {
  return users.has(uid);
}

/** From now on this user is one of code that is held to its own. */
export function confineUser(uid: number): void {
  anyConfined = true;
  users.add(uid);
}

/** First processes of the workers whose user is the server's own. */
export function confinedWithoutUser(): { pid: number; fenced: boolean }[] {
  return [...confined].filter(([, { uid }]) => uid === undefined).map(([pid, { fenced }]) => ({ pid, fenced }));
}

/** From now on the group does not outlive this process. `held`: of code that is held to its own. */
export function keepGroup(group: number, held?: Confined): void {
  kept.add(group);
  if (held) {
    anyConfined = true;
    confined.set(group, held);
    if (held.uid !== undefined) users.add(held.uid);
  }
  if (keeper) tell("+", group);
  else keeper = startKeeper();
}

/** Ends what is left of a group whose first process has ended, and what has left it. */
export function endGroup(group: number, mark: Mark): void {
  killGroup(group);
  if (kept.delete(group)) tell("-", group);
  const { fenced = false, uid } = confined.get(group) ?? {};
  confined.delete(group);
  if (fenced) return;
  // A newer process of the deployment has the same user.
  if (uid !== undefined && ![...confined.values()].some((other) => other.uid === uid)) killUser(uid);
  void endStrays(mark);
}

function startKeeper(): ChildProcess {
  const started = spawn("/bin/sh", ["-c", KEEPER, "keeper", MARK, LIMIT], {
    cwd: "/",
    detached: true,
    env: { NODE_ENV: "production", PATH: "/usr/local/bin:/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"],
  });
  started.on("error", () => {
    // No shell: workers still hear the end of their channel.
  });
  started.stdin?.on("error", () => {
    // It was killed: `exit` starts another.
  });
  started.once("exit", () => {
    keeper = kept.size > 0 ? startKeeper() : undefined;
  });
  // It ends with this process, which must not wait for it.
  started.unref();
  const input = started.stdin;
  if (input instanceof Socket) input.unref();
  for (const group of kept) input?.write(`+ ${group}\n`);
  return started;
}

function tell(sign: "+" | "-", group: number): void {
  keeper?.stdin?.write(`${sign} ${group}\n`);
}
