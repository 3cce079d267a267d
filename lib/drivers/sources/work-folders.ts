import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Private folders for what is needed for a moment, keys among it. */
export interface WorkFolders {
  /** Calls back with one that is there until the end of the call. */
  use<T>(act: (folder: string) => Promise<T>): Promise<T>;
  /** Removes what an earlier process has left. */
  sweep(): Promise<void>;
}

export function createWorkFolders(root: string): WorkFolders {
  const used = new Set<string>();
  let swept: Promise<void> | undefined;
  const sweep = async (): Promise<void> => {
    for (const name of await readdir(root).catch(() => [])) {
      if (!used.has(name)) await rm(join(root, name), { recursive: true, force: true });
    }
  };
  return {
    async use(act) {
      const name = randomUUID();
      const folder = join(root, name);
      used.add(name);
      try {
        // A process that was killed may have left a key.
        await (swept ??= sweep());
        await mkdir(folder, { recursive: true, mode: 0o700 });
        return await act(folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
        used.delete(name);
      }
    },
    sweep,
  };
}
