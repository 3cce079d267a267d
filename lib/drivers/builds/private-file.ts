/** Writes files without following links. */
import { rm, writeFile } from "node:fs/promises";

/** Writes a file that only the server's own user can read. It must not exist yet. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flag: "wx" });
}

/** Writes a file in place of whatever is there. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await writeFile(path, text, { flag: "wx" });
}
