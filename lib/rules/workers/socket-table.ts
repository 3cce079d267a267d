/** Reads the tables of connections that Linux has in `/proc/net/tcp` and `tcp6`. */

export interface SocketAddress {
  /** Four bytes of IPv4, or sixteen of IPv6. */
  address: readonly number[];
  port: number;
}

/** One end of a connection on this machine. */
export interface SocketRow {
  uid: number;
  /** The inode; 0 when the process has closed the socket. */
  inode: number;
}

const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255];

/** Maps an IPv4 address into IPv6, as IPv6 sockets have it (RFC 4291, 2.5.5.2). */
export function mapped(end: SocketAddress): SocketAddress {
  return end.address.length === 4 ? { ...end, address: [...MAPPED, ...end.address] } : end;
}

export function unmapped(end: SocketAddress): SocketAddress {
  const isMapped = end.address.length === 16 && MAPPED.every((byte, at) => end.address[at] === byte);
  return isMapped ? { ...end, address: end.address.slice(12) } : end;
}

/** Formats an endpoint as in the tables: each four bytes as one number, in the machine's byte order. */
export function endpointText({ address, port }: SocketAddress, littleEndian: boolean): string {
  let text = "";
  for (let at = 0; at < address.length; at += 4) {
    const word = address.slice(at, at + 4);
    text += (littleEndian ? word.toReversed() : word).map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  return `${text}:${port.toString(16).padStart(4, "0")}`.toUpperCase();
}

/** Finds the row of a connection, seen from its first end. `ends` are formatted by `endpointText`. Total. */
export function findRow(rows: string, [near, far]: readonly [near: string, far: string]): SocketRow | undefined {
  const at = rows.indexOf(` ${near} ${far} `);
  if (at === -1) return undefined;
  const end = rows.indexOf("\n", at);
  const fields = rows
    .slice(at, end === -1 ? undefined : end)
    .trim()
    .split(/\s+/);
  return { uid: Number(fields[6]), inode: Number(fields[8]) };
}
