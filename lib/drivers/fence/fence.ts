/** Puts a command behind namespaces of its own, by bubblewrap (https://github.com/containers/bubblewrap), on Linux. */
import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { loaderNames } from "../../rules/workers/confinement.ts";
import { systemFiles, systemFolders } from "./system.ts";

/** All paths are absolute. */
export interface FencedCommand {
  program: string;
  args: readonly string[];
  /** All of its environment. */
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Files and folders that it sees beside the system's own, read-only. Those that are not there are left out. */
  reads: readonly string[];
  /** Folders that it writes to. They have to be there. */
  writes: readonly string[];
  /** Whether it shares the network of this machine, loopback included; otherwise it has none. */
  network: boolean;
}

/** What is to be spawned in the command's place. */
export interface WrappedCommand {
  program: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

export interface Fence {
  /**
   * The command inside of the fence. Spawn it `detached`, as any user for whom the fence was probed: it keeps its user,
   * its descriptors, `cwd`, limits and priority. The spawned process is bubblewrap's own: all processes of the command
   * end when it does, and it ends when its parent does. Its exit code is the command's, or 128 and the signal's number.
   */
  wrap(command: FencedCommand): WrappedCommand;
}

/** Puts a program into a fence that was built for it. */
export type Wrap = (command: Pick<FencedCommand, "program" | "args" | "env" | "cwd">) => WrappedCommand;

/** Where there is no fence. */
export const unfenced: Wrap = ({ program, args, env }) => ({ program, args: [...args], env });

export interface FenceOptions {
  /** The path of `bwrap`. */
  bwrap: string;
  /** Folders that stay out of sight, even where they lie in a folder of the system. */
  hidden: readonly string[];
  /** Whether bubblewrap can also forbid user namespaces inside, which keeps parts of the kernel out of reach. */
  nested: boolean;
}

const NAMESPACES =
  "--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --die-with-parent --cap-drop ALL".split(
    " ",
  );
/** `/tmp` and `/dev/shm` are memory, 64 MB each: programs that need more have TMPDIR. */
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
      // Bubblewrap's own root is memory that could be filled.
      const closed = ["/", ...covers].flatMap((path) => ["--remount-ro", path]);
      return {
        program: bwrap,
        args: [...base, ...binds, ...closed, "--chdir", cwd, "--", program, ...args],
        env: Object.fromEntries(Object.entries(env).filter(([name]) => !loaderNames.test(name))) as NodeJS.ProcessEnv,
      };
    },
  };
}

/** Merged with `/usr` on many systems: `/lib` is a link there. */
function systemFolder(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() === true) return ["--symlink", readlinkSync(path), path];
  return found?.isDirectory() === true ? ["--ro-bind", path, path] : [];
}

/**
 * A folder comes before what lies in it. Nothing is mounted below a folder that the command may write to: a link that it
 * had left there would say where.
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

/** The first place on the way to a file that is not there yet: a link of the system may lead out of its folders. */
function pathToMount(path: string, isMounted: (path: string) => boolean): string | undefined {
  let at: string | undefined = path;
  while (at !== undefined && isMounted(at)) at = followLink(at);
  return at;
}

/** The path with its first link followed, if there is one. */
function followLink(path: string): string | undefined {
  const names = path.split("/");
  for (let n = 2; n <= names.length; n++) {
    const link = names.slice(0, n).join("/");
    if (lstatSync(link).isSymbolicLink()) return resolve(dirname(link), readlinkSync(link), ...names.slice(n));
  }
  return undefined;
}

/** A link stays one: Node.js would load a module twice that it found at two real paths. */
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

/** Programs look files up both ways: as they were told, and where links lead. */
function withRealPaths(paths: readonly string[]): string[] {
  return paths.filter(existsSync).flatMap((path) => [path, realpathSync(path)]);
}
