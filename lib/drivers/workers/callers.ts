/** Identifies the process at the other end of a local connection (Linux). */
import { readlinkSync } from "node:fs";
import { open } from "node:fs/promises";
import type { Socket } from "node:net";
import { endianness } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import ipaddr from "ipaddr.js";
import {
  type SocketAddress,
  endpointText,
  findRow,
  mapped,
  type SocketRow,
  unmapped,
} from "../../rules/workers/socket-table.ts";
import { processesIn } from "../fence/inside.ts";
import { namesIn } from "../process-tree.ts";
import { confinedWithoutUser, hasConfinedCode, isConfinedUser } from "../reaper.ts";

/** A connection as the server sees it. */
export type Peer = Pick<Socket, "localAddress" | "localPort" | "remoteAddress" | "remotePort">;

/**
 * Returns whether the caller is a confined process of a deployment. Also true for a local caller that has closed the
 * connection, because its process can no longer be determined.
 */
export async function isConfinedCaller(peer: Peer): Promise<boolean> {
  const near = endpointOf(peer.remoteAddress, peer.remotePort);
  const far = endpointOf(peer.localAddress, peer.localPort);
  if (!hasConfinedCode() || !isLocal(near, far)) return false;
  const row = await findOtherEnd(near, far);
  if (row === "unknown") return false;
  if (row === undefined || row.inode === 0) return true;
  if (isConfinedUser(row.uid)) return true;
  if (row.uid !== process.getuid?.()) return false;
  if (await isWorkerSocket(row.inode)) return true;
  // A worker that closes its socket during the search is not found by it.
  const after = await findOtherEnd(near, far);
  return typeof after !== "object" || after.inode !== row.inode;
}

function endpointOf(address = "", port = 0): SocketAddress {
  const known = ipaddr.isValid(address) ? ipaddr.parse(address).toByteArray() : [];
  return unmapped({ address: known, port });
}

/** Returns whether the caller is on this machine. Only local callers reach loopback addresses, whatever their own. */
function isLocal(near: SocketAddress, far: SocketAddress): boolean {
  return [near, far].some(isLoopback) || near.address.join(".") === far.address.join(".");
}

function isLoopback({ address }: SocketAddress): boolean {
  return address.length === 4 ? address[0] === 127 : address.slice(0, 15).every((byte) => byte === 0);
}

type Found = SocketRow | undefined | "unknown";

/** Returns `unknown` if the system has no tables of connections. An IPv6 socket can have an IPv4 connection. */
async function findOtherEnd(near: SocketAddress, far: SocketAddress): Promise<Found> {
  const v4 = near.address.length === 4 ? await findSocket("/proc/net/tcp", near, far) : undefined;
  if (v4 !== undefined && v4 !== "unknown") return v4;
  const v6 = await findSocket("/proc/net/tcp6", mapped(near), mapped(far));
  return v6 === "unknown" ? v4 : v6;
}

/**
 * Rows are read a few at a time: Linux walks its table only as far as rows are read, and the whole table takes 4 ms if
 * it has 262,144 slots.
 */
const READ_BYTES = 4096;

/** Errors of a process or system that has no file descriptor left. */
const NO_DESCRIPTORS = new Set<string | undefined>(["EMFILE", "ENFILE"]);

async function findSocket(table: string, near: SocketAddress, far: SocketAddress): Promise<Found> {
  const isLittle = endianness() === "LE";
  const ends = [endpointText(near, isLittle), endpointText(far, isLittle)] as const;
  const file = await open(table).catch((error: NodeJS.ErrnoException) => error.code);
  // Code that opens very many connections must not pass for another caller by that.
  if (typeof file !== "object") return NO_DESCRIPTORS.has(file) ? undefined : "unknown";
  try {
    const piece = Buffer.alloc(READ_BYTES);
    let rest = "";
    for (;;) {
      const { bytesRead } = await file.read(piece);
      if (bytesRead === 0) return undefined;
      const rows = rest + piece.toString("latin1", 0, bytesRead);
      const whole = rows.lastIndexOf("\n") + 1;
      const found = findRow(rows.slice(0, whole), ends);
      if (found) return found;
      rest = rows.slice(whole);
    }
  } finally {
    await file.close();
  }
}

/** The number of descriptors that are read without a pause. Each takes 2 µs. */
const AT_ONCE = 500;

/** Returns whether a worker without a user of its own has this socket. */
async function isWorkerSocket(inode: number): Promise<boolean> {
  const socket = `socket:[${inode}]`;
  let looked = 0;
  for (const { pid, fenced } of confinedWithoutUser()) {
    for (const one of fenced ? processesIn(pid) : [pid]) {
      for (const name of namesIn(`/proc/${one}/fd`)) {
        if (linkOf(`/proc/${one}/fd/${name}`) === socket) return true;
        if (++looked % AT_ONCE === 0) await nextTurn();
      }
    }
  }
  return false;
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
