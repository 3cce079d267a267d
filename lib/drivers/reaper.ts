/**
 * Ends workers, and all that they have started, when this process has ended, in whatever way: a worker that is in an
 * endless loop does not hear that nobody needs it any more.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomInt, randomUUID } from "node:crypto";
import { Socket } from "node:net";
import { endStrays, endUser, killGroup, type ProcessTag } from "./processes.ts";

/** In the environment of every process of a worker: finds those that have left its group. */
const TAG_NAME = "GRAPHLIB_WORKER";
const TAG = randomUUID();
/** The first digits of the limit on file locks of every confined process: six more tell the worker. */
const LIMIT = String(randomInt(100_000_000, 999_999_999));

/**
 * Reads `+ group`, `- group` and `u user` until its input ends, which is when this process does. Then it searches until
 * three searches in a row find nothing: a process may start another and end before it is looked at. One for all workers
 * costs them nothing. It is a shell because that takes 2 MB, and Node.js 45 MB.
 */
const SCRIPT = `
mark=$1 limit=$2
trap '' HUP INT TERM
kept= users=
while read -r sign group; do
  if [ "$sign" = + ]; then kept="$kept $group"
  elif [ "$sign" = u ]; then users="$users|$group"
  else
    left=
    for one in $kept; do [ "$one" = "$group" ] || left="$left $one"; done
    kept=$left
  fi
done
for one in $kept; do kill -9 "-$one"; done
search() {
  command -p grep -lsF "${TAG_NAME}=$mark" /proc/[0-9]*/environ
  command -p grep -lsE "^Max file locks +[0-9a-z]+ +$limit[0-9]{6} " /proc/[0-9]*/limits
  [ -z "$users" ] || command -p grep -lsE "^Uid:.*[[:blank:]](\${users#|})([[:blank:]]|$)" /proc/[0-9]*/status
}
round=0 empty=0
while [ $round -lt 500 ] && [ $empty -lt 3 ]; do
  round=$((round + 1)) empty=$((empty + 1))
  for path in $(search); do
    empty=0
    path=\${path%/*}
    kill -9 "\${path##*/}"
  done
done
`;

const groups = new Set<number>();
const confined = new Map<number, GroupConfinement>();
/** Those of processes that have ended too. */
const users = new Set<number>();
let reserved = { first: 0, count: 0 };
let reaper: ChildProcess | undefined;
let tags = 0;
let anyConfined = false;

/** How the code of a worker is held to its own. */
export interface GroupConfinement {
  /** Its first process is a fence's: all that it has started ends with that. */
  fenced: boolean;
  /** The user that is this deployment's alone. */
  uid?: number;
}

/** Marks for the processes of one worker. */
export function newTag(): ProcessTag {
  const number = ++tags;
  return {
    name: TAG_NAME,
    value: `${TAG}.${number}`,
    limit: `${LIMIT}${String(number % 1_000_000).padStart(6, "0")}`,
  };
}

/** Whether any code has ever been held to its own here. */
export function hasConfinedCode(): boolean {
  return anyConfined;
}

/** Tells whether a user id belongs to a deployment or build, also one of a server that ran here before. */
export function isConfinedUser(uid: number): boolean {
  return users.has(uid) || (uid >= reserved.first && uid < reserved.first + reserved.count);
}

/** Reserves a range of user ids for deployments and builds. */
export function reserveUsers(first: number, count: number): void {
  reserved = { first, count };
}

/** From now on this user is one of code that is held to its own. */
export function addConfinedUser(uid: number): void {
  anyConfined = true;
  users.add(uid);
}

/** First processes of the workers whose user is the server's own. */
export function confinedWithoutUser(): { pid: number; fenced: boolean }[] {
  return [...confined].filter(([, { uid }]) => uid === undefined).map(([pid, { fenced }]) => ({ pid, fenced }));
}

/** From now on the group does not outlive this process. `held`: of code that is held to its own. */
export function registerGroup(group: number, confinement?: GroupConfinement): void {
  groups.add(group);
  if (confinement) {
    anyConfined = true;
    confined.set(group, confinement);
  }
  if (reaper) send("+", group);
  else reaper = startReaper();
  if (confinement?.uid === undefined || users.has(confinement.uid)) return;
  users.add(confinement.uid);
  if (!confinement.fenced) send("u", confinement.uid);
}

/** Ends what is left of a group whose first process has ended, and what has left it. */
export function endGroup(group: number, tag: ProcessTag): void {
  killGroup(group);
  if (groups.delete(group)) send("-", group);
  const { fenced = false, uid } = confined.get(group) ?? {};
  confined.delete(group);
  if (fenced) return;
  // A newer process of the deployment has the same user.
  const isInUse = (): boolean => [...confined.values()].some((other) => other.uid === uid);
  if (uid !== undefined) void endUser(uid, isInUse);
  void endStrays(tag);
}

function startReaper(): ChildProcess {
  const started = spawn("/bin/sh", ["-c", SCRIPT, "reaper", TAG, LIMIT], {
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
    reaper = groups.size > 0 ? startReaper() : undefined;
  });
  // It ends with this process, which must not wait for it.
  started.unref();
  const input = started.stdin;
  if (input instanceof Socket) input.unref();
  for (const group of groups) input?.write(`+ ${group}\n`);
  return started;
}

function send(sign: "+" | "-" | "u", number: number): void {
  reaper?.stdin?.write(`${sign} ${number}\n`);
}
