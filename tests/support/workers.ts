/** Finds processes of deployments by their ids on this machine, which differ from those inside of a fence (Linux). */
import { readFileSync } from "node:fs";
import { allProcesses } from "../../lib/drivers/process-tree.ts";
import type { TestServer } from "./server.ts";

/** Returns the arguments of every process. */
function commands(): [pid: number, args: string[]][] {
  return allProcesses().map((pid) => {
    try {
      return [pid, readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1)];
    } catch {
      return [pid, []];
    }
  });
}

/** Returns the Node.js processes that serve a deployment which is not served in place. */
export function workersOf({ home }: Pick<TestServer, "home">, deployment: string): number[] {
  const own = `${home}/deployments/${deployment}/`;
  const found = commands().filter(
    ([, args]) =>
      args[0]?.endsWith("node") === true &&
      /worker\/main\.[jt]s$/.test(args.at(-1) ?? "") &&
      args.some((one) => one.includes(own)),
  );
  return found.map(([pid]) => pid);
}

/** Returns the newest process that serves a deployment which is not served in place. Throws when there is none. */
export function workerOf(server: Pick<TestServer, "home">, deployment: string): number {
  const pid = workersOf(server, deployment).at(-1);
  if (pid === undefined) throw new Error(`no worker of ${deployment} is running`);
  return pid;
}

/** Returns the processes that have this text in an argument, such as a shell whose script names it. */
export function processesNaming(text: string): number[] {
  return commands()
    .filter(([, args]) => args.some((one) => one.includes(text)))
    .map(([pid]) => pid);
}

/** Returns the processes that run `sleep` for this many seconds. */
export function sleepers(seconds: string): number[] {
  return commands()
    .filter(([, args]) => args.join(" ") === `sleep ${seconds}`)
    .map(([pid]) => pid);
}
