/** Who is at the other end of a connection from this machine (Linux). */
import { readdir, readFile, readlink } from "node:fs/promises";
import { confinedMark, hasConfined, isConfinedGroup } from "./keeper.ts";

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
  if (!hasConfined() || !isHere(peer)) return false;
  const sockets = await socketsOf(peer);
  if (!sockets) return false;
  if (sockets.size === 0 || sockets.has(LET_GO)) return true;
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) if ((await isConfined(pid)) && (await holds(pid, sockets))) return true;
  return false;
}

function isHere({ localAddress, remoteAddress = "" }: Peer): boolean {
  return remoteAddress === localAddress || /^(?:::ffff:)?127\.|^::1$/.test(remoteAddress);
}

const LET_GO = "socket:[0]";

/** The other end of the connection, as `socket:[1234]`; undefined where the system does not tell. */
async function socketsOf({ localPort = 0, remotePort = 0 }: Peer): Promise<Set<string> | undefined> {
  const tables = await Promise.all(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readFile(path, "latin1").catch(() => "")),
  );
  if (tables.every((table) => table === "")) return undefined;
  const [theirs = "", ours = ""] = [remotePort, localPort].map(
    (port) => `:${port.toString(16).toUpperCase().padStart(4, "0")}`,
  );
  const rows = tables.flatMap((table) => table.split("\n").map((line) => line.trim().split(/\s+/)));
  const found = rows.filter((fields) => fields[1]?.endsWith(theirs) && fields[2]?.endsWith(ours));
  return new Set(found.map((fields) => `socket:[${fields[9]}]`));
}

/** By its group, or by the environment that it was started with. */
async function isConfined(pid: string): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
  const [, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (isConfinedGroup(Number(group))) return true;
  return (await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "")).includes(confinedMark);
}

async function holds(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  for (const name of await readdir(folder).catch(() => [])) {
    if (sockets.has(await readlink(`${folder}/${name}`).catch(() => ""))) return true;
  }
  return false;
}
