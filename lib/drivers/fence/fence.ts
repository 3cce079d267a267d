/** Isolates a command in Linux namespaces of its own, by bubblewrap (https://github.com/containers/bubblewrap). */
import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { loaderNames } from "../../rules/workers/confinement.ts";
import { systemFiles, systemFolders } from "./system.ts";

/** All paths are absolute. */
export interface FencedCommand {
  program: string;
  args: readonly string[];
  /** The whole environment. */
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Files and folders that it may read besides the system's own. Missing ones are left out. */
  reads: readonly string[];
  /** Folders that it may write to. They must exist. */
  writes: readonly string[];
  /** It shares this machine's network, including loopback, or has none. */
  network: boolean;
}

/** The process to spawn instead of the command. */
export interface WrappedCommand {
  program: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

export interface Fence {
  /**
   * Returns the command inside of the fence. Spawn it `detached`, as any user for whom the fence was probed. It keeps
   * its user, descriptors, `cwd`, limits and priority. The spawned process is bubblewrap: all processes of the command
   * end with it, and it ends with its parent. Its exit code is that of the command, or 128 plus the signal's number.
   */
  wrap(command: FencedCommand): WrappedCommand;
}

/** Wraps a program in a fence whose other options are set already. */
export type Wrap = (command: Pick<FencedCommand, "program" | "args" | "env" | "cwd">) => WrappedCommand;

/** Runs the program without a fence. */
export const unfenced: Wrap = ({ program, args, env }) => ({ program, args: [...args], env });

export interface FenceOptions {
  /** The path of `bwrap`. */
  bwrap: string;
  /** Folders that stay hidden, even inside of a folder of the system. */
  hidden: readonly string[];
  /** Allows user namespaces inside of the fence, as some containers require. They expose more of the kernel. */
  nested: boolean;
}

const NAMESPACES =
  "--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --die-with-parent --cap-drop ALL".split(
    " ",
  );
/** `/tmp` and `/dev/shm` are in memory, 64 MB each. Programs that need more have TMPDIR. */
const DEVICES =
  "--proc /proc --dev /dev --size 67108864 --tmpfs /dev/shm --remount-ro /dev --size 67108864 --tmpfs /tmp".split(" ");

export function createFence({ bwrap, hidden, nested }: FenceOptions): Fence {
  const folders = systemFolders.flatMap(systemFolder);
  const hiddenPaths = [...new Set(hidden.filter(existsSync).map((path) => realpathSync(path)))];
  const covers = hiddenPaths.filter((path) => isBelow(path, systemFolders));
  const base = [
    ...NAMESPACES,
    ...(nested ? [] : ["--disable-userns"]),
    ...DEVICES,
    ...folders,
    ...systemFiles.filter(existsSync).flatMap((path) => ["--ro-bind-try", path, path]),
    ...covers.flatMap((path) => ["--tmpfs", path]),
  ];
  const isMounted = (path: string): boolean =>
    (isBelow(path, [...systemFolders, ...systemFiles]) || systemFiles.includes(path)) && !isBelow(path, covers);
  return {
    wrap({ program, args, env, cwd, reads, writes, network }) {
      const seen = [program, ...reads].filter(existsSync).flatMap((path) => pathToMount(path, isMounted) ?? []);
      const binds = [...(network ? [] : ["--unshare-net"]), ...bindsOf({ reads: seen, writes })];
      // These are in memory, which a command could fill if it could write to them.
      const closed = ["/", ...covers].flatMap((path) => ["--remount-ro", path]);
      return {
        program: bwrap,
        args: [...base, ...binds, ...closed, "--chdir", cwd, "--", program, ...args],
        env: Object.fromEntries(Object.entries(env).filter(([name]) => !loaderNames.test(name))) as NodeJS.ProcessEnv,
      };
    },
  };
}

/** Returns the mount of a system folder. On many systems, `/lib` is a link into `/usr`. */
function systemFolder(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() === true) return ["--symlink", readlinkSync(path), path];
  return found?.isDirectory() === true ? ["--ro-bind", path, path] : [];
}

/**
 * Returns the mounts, with each folder before its content. Nothing is mounted below a folder that the command may write
 * to, because a link that the command left there could redirect the mount.
 */
function bindsOf({ reads, writes }: Pick<FencedCommand, "reads" | "writes">): string[] {
  const writable = outermost(withRealPaths(writes));
  const readable = outermost(withRealPaths(reads)).filter(
    (path) => !writable.includes(path) && !isBelow(path, writable),
  );
  const all = [
    ...readable.map((path) => ({ path, mount: mountOf(path) })),
    ...writable.map((path) => ({ path, mount: ["--bind", path, path] })),
  ];
  return all.toSorted((a, b) => (a.path < b.path ? -1 : 1)).flatMap(({ mount }) => mount);
}

/** Follows links from mounted folders to the first path that is not mounted. Undefined if everything is mounted. */
function pathToMount(path: string, isMounted: (path: string) => boolean): string | undefined {
  let at: string | undefined = path;
  while (at !== undefined && isMounted(at)) at = followLink(at);
  return at;
}

/** Returns the path with its first link resolved, or undefined if there is no link in it. */
function followLink(path: string): string | undefined {
  const names = path.split("/");
  for (let n = 2; n <= names.length; n++) {
    const link = names.slice(0, n).join("/");
    if (lstatSync(link).isSymbolicLink()) return resolve(dirname(link), readlinkSync(link), ...names.slice(n));
  }
  return undefined;
}

/** Mounts a link as a link: Node.js would load a module twice that has two real paths. */
function mountOf(path: string): string[] {
  return lstatSync(path).isSymbolicLink() ? ["--symlink", realpathSync(path), path] : ["--ro-bind-try", path, path];
}

function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(`${folder}/`));
}

function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !isBelow(path, all));
}

/** Adds the targets of links, because programs use both the given paths and the real ones. */
function withRealPaths(paths: readonly string[]): string[] {
  return paths.filter(existsSync).flatMap((path) => [path, realpathSync(path)]);
}
