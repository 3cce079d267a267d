/** Measures files that processes have deleted and keep open, on Linux. Other systems have no `/proc`. */
import { readdir, readFile, stat } from "node:fs/promises";
import { allProcesses } from "../process-tree.ts";

const BLOCK = 512;

/**
 * Returns the bytes of deleted files on a device, and the number of all open files. It examines these processes, their
 * descendants and all processes of a user, up to the first file beyond `most`.
 */
export async function unlinkedBytes(
  pids: readonly number[],
  { uid, device, most }: { uid: number | undefined; device: number; most: number },
): Promise<{ bytes: number; open: number }> {
  let open = 0;
  const sizes = new Map<number, number>();
  for (const pid of await familyOf(pids, uid)) {
    const folder = `/proc/${pid}/fd`;
    for (const name of await readdir(folder).catch(() => [])) {
      if (++open > most) break;
      const file = await stat(`${folder}/${name}`).catch(() => undefined);
      if (file?.isFile() && file.nlink === 0 && file.dev === device) sizes.set(file.ino, file.blocks * BLOCK);
    }
  }
  return { bytes: [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0), open };
}

interface Member {
  pid: number;
  parent: number;
  group: number;
  session: number;
}

async function familyOf(pids: readonly number[], uid: number | undefined): Promise<Set<number>> {
  const family = new Set(pids);
  const others: Member[] = [];
  for (const pid of allProcesses()) {
    if (uid !== undefined && (await stat(`/proc/${pid}`).catch(() => undefined))?.uid === uid) family.add(pid);
    const text = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
    // After the program's name, which is in parentheses and may contain any character: state, parent, group, session.
    const [, parent, group, session] = text.slice(text.lastIndexOf(")") + 2).split(" ", 4);
    others.push({ pid, parent: Number(parent), group: Number(group), session: Number(session) });
  }
  for (let known = 0; known < family.size;) {
    known = family.size;
    for (const { pid, parent, group, session } of others)
      if (family.has(parent) || pids.includes(group) || pids.includes(session)) family.add(pid);
  }
  return family;
}
