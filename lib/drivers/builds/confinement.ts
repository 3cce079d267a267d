/** What holds the programs of a build: a fence where there is one, and a user of their own where the server is root. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Fence, Wrap } from "../fence/fence.ts";

export interface BuildConfinement {
  fence?: Fence;
  /** Gives users to scripts of packages; none where the server is not root. */
  users?: BuildUsers;
}

export interface User {
  uid: number;
  gid: number;
}

export interface BuildUsers {
  /** Lets `work` have a user that nobody else has meanwhile. */
  use<T>(work: (user: User) => Promise<T>): Promise<T>;
}

/** Gives out `count` users, the first of which has the number `first`. */
export function createBuildUsers(first: number, count: number, home: string): BuildUsers {
  // Each server begins at a number of its own: several on one machine should not share users.
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

/** Makes a user the owner of folders with all below them; links are not followed. */
export async function giveTo({ uid, gid }: User, folders: readonly string[]): Promise<void> {
  await run("chown", ["-hR", `${uid}:${gid}`, "--", ...folders]);
}

/** Makes this process's user the owner again, and the only one who may write. Nothing of the other user may run any more. */
export async function takeBack(folders: readonly string[]): Promise<void> {
  await giveTo({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }, folders);
  await run("chmod", ["-R", "u+rwX,go-w,a-s", "--", ...folders]);
}

const WAY_OUT = fileURLToPath(new URL("way-out.ts", import.meta.url));

export interface WayOut {
  /** Of the install proxy. */
  socket: string;
  port: number;
}

/** A fence for one program: it sees and writes this much, and has no network but the way out. */
export function wrapFor(
  fence: Fence | undefined,
  { reads, writes, wayOut }: { reads: readonly string[]; writes: readonly string[]; wayOut?: WayOut },
): Wrap | undefined {
  if (!fence) return undefined;
  if (!wayOut) return (command) => fence.wrap({ ...command, reads, writes, network: false });
  const { socket, port } = wayOut;
  return ({ program, args, ...command }) =>
    fence.wrap({
      ...command,
      program: process.execPath,
      args: [WAY_OUT, socket, String(port), program, ...args],
      reads: [...reads, program, WAY_OUT, socket],
      writes,
      network: false,
    });
}

/** Users of all kinds pass on the way to it. */
export async function openSocket(folder: string, socket: string): Promise<void> {
  await chmod(folder, 0o711);
  await chmod(socket, 0o666);
}

/** Files and folders with the certificates that are trusted. */
export function certificatesOf(env: Readonly<Record<string, string | undefined>>): string[] {
  const names = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO"];
  return names.map((name) => env[name]).filter((path) => path !== undefined && path !== "") as string[];
}
