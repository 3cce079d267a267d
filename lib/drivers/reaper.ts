/**
 * Ends workers and all processes that they have started when this process ends, however it ends. A worker in an endless
 * loop does not notice the end of its channel.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomInt, randomUUID } from "node:crypto";
import { Socket } from "node:net";
import { endStrays, endUser, killGroup, type ProcessTag } from "./processes.ts";

/** A variable in the environment of every process of a worker. It identifies processes that have left their group. */
const TAG_NAME = "GRAPHLIB_WORKER";
const TAG = randomUUID();
/** The first digits of the limit on file locks of every confined process. Six more digits identify the worker. */
const LIMIT = String(randomInt(100_000_000, 999_999_999));

/**
 * Reads `+ group`, `- group` and `u user` until its input ends, which happens when this process ends. Then it kills
 * until three searches in a row find nothing, because a process may start another and end before it is examined. One
 * script serves all workers. It is a shell script because a shell takes 2 MB, and Node.js 45 MB.
 */
const SCRIPT = `
tag=$1 limit=$2
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
  command -p grep -lsF "${TAG_NAME}=$tag" /proc/[0-9]*/environ
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
/** Users of confined code, including those whose processes have ended. */
const users = new Set<number>();
/** Those whose processes do not end with a fence, so that the script ends them. */
const unfencedUsers = new Set<number>();
let reserved = { first: 0, count: 0 };
let reaper: ChildProcess | undefined;
let tags = 0;
let anyConfined = false;

/** The confinement of a process group. */
export interface GroupConfinement {
  /** True if the first process is that of a fence, with which all others end. */
  fenced: boolean;
  /** The deployment's own user, if it has one. */
  uid?: number;
}

/** Creates a tag for the processes of one worker. */
export function newTag(): ProcessTag {
  const number = ++tags;
  return {
    name: TAG_NAME,
    value: `${TAG}.${number}`,
    limit: `${LIMIT}${String(number % 1_000_000).padStart(6, "0")}`,
  };
}

/** Returns whether this server has ever started confined code. */
export function hasConfinedCode(): boolean {
  return anyConfined;
}

/** Returns whether a user id belongs to a deployment or build, including those of an earlier server on this machine. */
export function isConfinedUser(uid: number): boolean {
  return users.has(uid) || (uid >= reserved.first && uid < reserved.first + reserved.count);
}

/** Reserves a range of user ids for deployments and builds. */
export function reserveUsers(first: number, count: number): void {
  reserved = { first, count };
}

/** Adds a user to those of confined code. */
export function addConfinedUser(uid: number): void {
  anyConfined = true;
  users.add(uid);
}

/** Returns the first processes of confined workers that run as the server's own user. */
export function confinedWithoutUser(): { pid: number; fenced: boolean }[] {
  return [...confined].filter(([, { uid }]) => uid === undefined).map(([pid, { fenced }]) => ({ pid, fenced }));
}

/** Ensures that a process group does not outlive this process. `confinement` is set if its code is confined. */
export function registerGroup(group: number, confinement?: GroupConfinement): void {
  reaper ??= startReaper();
  groups.add(group);
  send("+", group);
  if (!confinement) return;
  anyConfined = true;
  confined.set(group, confinement);
  const { fenced, uid } = confinement;
  if (uid === undefined) return;
  users.add(uid);
  if (fenced || unfencedUsers.has(uid)) return;
  unfencedUsers.add(uid);
  send("u", uid);
}

/** Ends the remaining processes of a group whose first process has ended, and those that have left the group. */
export function endGroup(group: number, tag: ProcessTag): void {
  killGroup(group);
  if (groups.delete(group)) send("-", group);
  const { fenced = false, uid } = confined.get(group) ?? {};
  confined.delete(group);
  if (fenced) return;
  // A newer process of the deployment may have the same user.
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
    // There is no shell. Workers still notice the end of their channel.
  });
  started.stdin?.on("error", () => {
    // The script was killed, so the listener of `exit` starts another.
  });
  started.once("exit", () => {
    reaper = groups.size > 0 ? startReaper() : undefined;
  });
  // This process must not wait for the script, which ends with it.
  started.unref();
  const input = started.stdin;
  if (input instanceof Socket) input.unref();
  for (const group of groups) input?.write(`+ ${group}\n`);
  for (const uid of unfencedUsers) input?.write(`u ${uid}\n`);
  return started;
}

function send(sign: "+" | "-" | "u", number: number): void {
  reaper?.stdin?.write(`${sign} ${number}\n`);
}
