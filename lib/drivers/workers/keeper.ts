/**
 * Ends workers, and all that they have started, when this process has ended, in whatever way: a worker that is in an
 * endless loop does not hear that nobody needs it any more.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { Socket } from "node:net";
import { endStrays, killGroup } from "../processes.ts";

/** In the environment of every process of a worker: finds those that have left its group. */
const MARK_NAME = "GRAPHLIB_WORKER";
const MARK = randomUUID();

/**
 * Reads `+ group` and `- group` until its input ends, which is when this process does. One for all workers costs them
 * nothing. It is a shell because that takes 2 MB, and Node.js 45 MB.
 */
const KEEPER = `
mark=$1
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
  found=$(command -p grep -lsF "${MARK_NAME}=$mark" /proc/[0-9]*/environ)
  [ -n "$found" ] || break
  for path in $found; do
    path=\${path%/*}
    kill -9 "\${path##*/}"
  done
done
`;

const kept = new Set<number>();
const confined = new Set<number>();
let keeper: ChildProcess | undefined;
let workers = 0;
let anyConfined = false;

/** A mark for one worker's environment. `isConfined`: its code is held to its own. */
export function newMark(isConfined = false): { name: string; value: string } {
  anyConfined ||= isConfined;
  return { name: MARK_NAME, value: `${MARK}.${isConfined ? "c" : ""}${++workers}` };
}

/** What the environment of every process of confined code has in it. */
export const confinedMark = `${MARK_NAME}=${MARK}.c`;

/** Whether any code has ever been held to its own here. */
export function hasConfined(): boolean {
  return anyConfined;
}

export function isConfinedGroup(group: number): boolean {
  return confined.has(group);
}

/** From now on the group does not outlive this process. */
export function keepGroup(group: number, isConfined = false): void {
  kept.add(group);
  if (isConfined) confined.add(group);
  if (keeper) tell("+", group);
  else keeper = startKeeper();
}

/** Ends what is left of a group whose first process has ended, and what has left it. */
export function endGroup(group: number, mark: string): void {
  killGroup(group);
  if (kept.delete(group)) tell("-", group);
  confined.delete(group);
  void endStrays(`${MARK_NAME}=${mark}`);
}

function startKeeper(): ChildProcess {
  const started = spawn("/bin/sh", ["-c", KEEPER, "keeper", MARK], {
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
