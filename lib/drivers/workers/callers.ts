/** Who is at the other end of a connection from this machine (Linux). */
import { readlinkSync } from "node:fs";
import { open } from "node:fs/promises";
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
export interface Peer {
  localAddress?: string;
  localPort?: number;
  remoteAddress?: string;
  remotePort?: number;
}

/**
 * Whether it is a process of a deployment that is held to its own, or one of this machine that has let go of the
 * connection: nobody can say any more whose that was.
 */
export async function isConfinedCaller(peer: Peer): Promise<boolean> {
  const near = endpointOf(peer.remoteAddress, peer.remotePort);
  const far = endpointOf(peer.localAddress, peer.localPort);
  if (!hasConfinedCode() || !isLocal(near, far)) return false;
  const row = await findOtherEnd(near, far);
  if (row === "untold") return false;
  if (row === undefined || row.inode === 0) return true;
  if (isConfinedUser(row.uid)) return true;
  return row.uid === process.getuid?.() && (await isWorkerSocket(row.inode));
}

function endpointOf(address = "", port = 0): SocketAddress {
  const known = ipaddr.isValid(address) ? ipaddr.parse(address).toByteArray() : [];
  return unmapped({ address: known, port });
}

/** What comes to a loopback address comes from this machine, whatever address it has given itself. */
function isLocal(near: SocketAddress, far: SocketAddress): boolean {
  return [near, far].some(isLoopback) || near.address.join(".") === far.address.join(".");
}

function isLoopback({ address }: SocketAddress): boolean {
  return address.length === 4 ? address[0] === 127 : address.slice(0, 15).every((byte) => byte === 0);
}

/** `untold` where the system does not say. A socket of IPv6 can have a connection of IPv4. */
async function findOtherEnd(near: SocketAddress, far: SocketAddress): Promise<SocketRow | undefined | "untold"> {
  const v4 = near.address.length === 4 ? await findSocket("/proc/net/tcp", near, far) : undefined;
  if (v4 !== undefined && v4 !== "untold") return v4;
  const v6 = await findSocket("/proc/net/tcp6", mapped(near), mapped(far));
  return v6 === "untold" ? v4 : v6;
}

/**
 * Linux goes through all of its table for this, 4 ms where that has 262,144 places, and only as far as it is asked to:
 * rows are read a few at a time.
 */
const READ_BYTES = 4096;

async function findSocket(table: string, near: SocketAddress, far: SocketAddress): Promise<SocketRow | undefined | "untold"> {
  const isLittle = endianness() === "LE";
  const ends = [endpointText(near, isLittle), endpointText(far, isLittle)] as const;
  const file = await open(table).catch(() => undefined);
  if (!file) return "untold";
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

/** Descriptors that are looked at in one go, 2 µs each. */
const AT_ONCE = 500;

/** Whether a worker without a user of its own has this socket. */
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
