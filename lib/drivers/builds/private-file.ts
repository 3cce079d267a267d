import { writeFile } from "node:fs/promises";

/** Writes a file that only the server's own user can read. It must not be there yet. */
export async function privateFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flag: "wx" });
}
