import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Private folders for temporary files, such as keys. */
export interface WorkFolders {
  /** Calls `act` with a new folder, which is deleted after the call. */
  use<T>(act: (folder: string) => Promise<T>): Promise<T>;
  /** Deletes folders that an earlier process left behind. */
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
        // A killed process may have left a key.
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
