/** Finds out whether commands can be fenced in on this machine, by fencing one in. */
import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { createFence, type Fence } from "./fence.ts";

/** Why there is no fence, in words for the operator. */
export type FenceFound = { fence: Fence } | { why: string };

interface User {
  uid: number;
  gid: number;
}

export interface ProbeOptions {
  /** `PATH`, in which `bwrap` is looked for. */
  path: string;
  /** Who will run commands in it beside the server's own user. */
  user?: User;
  /** Folders that stay out of sight, even where they lie in a folder of the system. */
  hidden: readonly string[];
}

const LIMIT_MS = 20_000;
const run = promisify(execFile);

/** Never rejects. */
export async function probeFence({ path, user, hidden }: ProbeOptions): Promise<FenceFound> {
  if (process.platform !== "linux") return { why: "bubblewrap needs Linux" };
  const bwrap = find("bwrap", path);
  if (bwrap === undefined) return { why: "bubblewrap is not installed" };
  const users = [undefined, ...(user ? [user] : [])];
  let why = "";
  // In some containers bubblewrap works, and can't forbid more of the same.
  for (const nested of [false, true]) {
    const fence = createFence({ bwrap, hidden, nested });
    const failures = await Promise.all(users.map((one) => tryFence(fence, one)));
    const failure = failures.find((one) => one !== undefined);
    if (failure === undefined) return { fence };
    why ||= failure;
  }
  return { why };
}

function find(name: string, path: string): string | undefined {
  const files = path.split(delimiter).map((folder) => join(folder, name));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Why it does not work. */
async function tryFence(fence: Fence, user: User | undefined): Promise<string | undefined> {
  const command = { program: "/bin/sh", args: ["-c", ":"], env: {}, cwd: "/", reads: [], writes: [] };
  const { program, args, env } = fence.wrap({ ...command, env: { NODE_ENV: "production" }, network: true });
  try {
    await run(program, args, { env, cwd: "/", timeout: LIMIT_MS, ...user });
    return undefined;
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): string {
  const said = typeof error === "object" && error !== null && "stderr" in error ? String(error.stderr).trim() : "";
  const [line = ""] = said.split("\n");
  if (/unknown option/i.test(line)) return "bubblewrap is older than 0.8";
  if (/namespace|uid map|permission|not permitted/i.test(line)) {
    return `bubblewrap may not make user namespaces here (${line}): kernel.unprivileged_userns_clone, user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns or the settings of a container say so`;
  }
  return `bubblewrap does not work here (${line || "it did not end"})`;
}
