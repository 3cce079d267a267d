/** Finds out whether fences work on this machine, by running a command in one. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { NoFence } from "../../rules/workers/isolation.ts";
import { findProgram } from "../find-program.ts";
import { createFence, type Fence } from "./fence.ts";

export type FenceFound = { fence: Fence } | NoFence;

export interface ProbeOptions {
  /** Value of `PATH`, in which `bwrap` is searched. */
  path: string;
  /** A user that will run commands in the fence, besides the server's own. */
  user?: { uid: number; gid: number };
  /** Folders that stay hidden, even inside of a folder of the system. */
  hidden: readonly string[];
}

const LIMIT_MS = 20_000;
const run = promisify(execFile);

/** Returns a fence, or why there is none. Never rejects. */
export async function probeFence({ path, user, hidden }: ProbeOptions): Promise<FenceFound> {
  if (process.platform !== "linux") return { why: "bubblewrap needs Linux", fix: "Run the server on Linux." };
  const bwrap = await findProgram("bwrap", path);
  if (bwrap === undefined) {
    const fix = "On the server: apt-get install bubblewrap, and start it again.";
    return { why: "bubblewrap is not installed", fix };
  }
  const users = [undefined, ...(user ? [user] : [])];
  let first: NoFence | undefined;
  // In some containers, bubblewrap works but cannot forbid nested namespaces.
  for (const nested of [false, true]) {
    const fence = createFence({ bwrap, hidden, nested });
    const failures = await Promise.all(users.map((one) => tryFence(fence, one)));
    const failure = failures.find((one) => one !== undefined);
    if (failure === undefined) return { fence };
    first ??= failure;
  }
  return first ?? explain(undefined);
}

/** Returns why the fence does not work; undefined if it works. */
async function tryFence(fence: Fence, user: ProbeOptions["user"]): Promise<NoFence | undefined> {
  const command = { program: "/bin/sh", args: ["-c", ":"], env: {}, cwd: "/", reads: [], writes: [] };
  const { program, args, env } = fence.wrap({ ...command, env: { NODE_ENV: "production" }, network: true });
  try {
    await run(program, args, { env, cwd: "/", timeout: LIMIT_MS, ...user });
    return undefined;
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): NoFence {
  const output = typeof error === "object" && error !== null && "stderr" in error ? String(error.stderr).trim() : "";
  const [line = ""] = output.split("\n");
  if (/unknown option/i.test(line)) {
    const fix = "Install a newer one on the server, and start it again.";
    return { why: "bubblewrap is older than 0.8", fix };
  }
  if (/namespace|uid map|permission|not permitted/i.test(line)) {
    const settings =
      "kernel.unprivileged_userns_clone, user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns";
    return {
      why: `bubblewrap may not make user namespaces here (${line})`,
      fix: `Allow them by ${settings} or the settings of the container, and start the server again.`,
    };
  }
  const fix = "Fix what `bwrap --unshare-all --ro-bind / / true` reports on the server, and start it again.";
  return { why: `bubblewrap does not work here (${line || "it did not end"})`, fix };
}
