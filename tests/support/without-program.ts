/** Creates a search path with every program but one. */
import { chmod, mkdtemp, readdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

export async function pathWithout(program: string, path = process.env.PATH ?? ""): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "graphlib-path-"));
  await chmod(folder, 0o755);
  const linked = new Set([program]);
  for (const from of path.split(delimiter)) {
    for (const name of await readdir(from).catch(() => [])) {
      if (linked.has(name)) continue;
      linked.add(name);
      await symlink(join(from, name), join(folder, name));
    }
  }
  return folder;
}
