/** Confines the programs of a build: by a fence where there is one, and by a separate user where the server is root. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Fence, Wrap } from "../fence/fence.ts";

export interface BuildConfinement {
  fence?: Fence;
  /** Lends users to scripts of packages; undefined where the server is not root. */
  users?: BuildUsers;
}

export interface User {
  uid: number;
  gid: number;
}

export interface BuildUsers {
  /** Calls `work` with a user that nobody else has until it is done. */
  use<T>(work: (user: User) => Promise<T>): Promise<T>;
}

/** Creates a pool of `count` users, the first of which has the id `first`. */
export function createBuildUsers(first: number, count: number, home: string): BuildUsers {
  // Each home starts at an offset of its own, so that several servers on one machine rarely share users.
  const offset = createHash("sha256").update(home).digest().readUInt32BE(0);
  const all = Array.from({ length: count }, (_, n) => first + ((offset + n) % count));
  const taken = new Set<number>();
  return {
    async use(work) {
      const uid = all.find((one) => !taken.has(one));
      if (uid === undefined) throw new Error("more scripts run side by side than there are users for");
      taken.add(uid);
      try {
        return await work({ uid, gid: uid });
      } finally {
        taken.delete(uid);
      }
    },
  };
}

const run = promisify(execFile);

/** Changes the owner of folders and everything in them; links are not followed. */
export async function chown({ uid, gid }: User, folders: readonly string[]): Promise<void> {
  await run("chown", ["-hR", `${uid}:${gid}`, "--", ...folders]);
}

/** Makes this process's user the owner again, with sole write access. No process of the other user may be left. */
export async function reclaim(folders: readonly string[]): Promise<void> {
  await chown({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }, folders);
  await run("chmod", ["-R", "u+rwX,go-w,a-s", "--", ...folders]);
}

const RELAY = fileURLToPath(new URL("proxy-relay.ts", import.meta.url));

export interface ProxyRelay {
  /** The socket of the install proxy. */
  socket: string;
  port: number;
}

/** Returns a fence for one program. It reads and writes only these paths, and its only network is the relay. */
export function wrapFor(
  fence: Fence | undefined,
  { reads, writes, relay }: { reads: readonly string[]; writes: readonly string[]; relay?: ProxyRelay },
): Wrap | undefined {
  if (!fence) return undefined;
  if (!relay) return (command) => fence.wrap({ ...command, reads, writes, network: false });
  const { socket, port } = relay;
  return ({ program, args, ...command }) =>
    fence.wrap({
      ...command,
      program: process.execPath,
      args: [RELAY, socket, String(port), program, ...args],
      reads: [...reads, program, RELAY, socket],
      writes,
      network: false,
    });
}

/** Lets all users connect to the socket. */
export async function shareSocket(folder: string, socket: string): Promise<void> {
  await chmod(folder, 0o711);
  await chmod(socket, 0o666);
}

/** Returns the files and folders of trusted certificates. */
export function certificatesOf(env: Readonly<Record<string, string | undefined>>): string[] {
  const names = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO"];
  return names.map((name) => env[name]).filter((path) => path !== undefined && path !== "") as string[];
}
