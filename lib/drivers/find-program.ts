import { access, constants } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** Returns the file of a program: `name` is an absolute path, or looked up in `path`, a value of `PATH`. */
export async function findProgram(name: string, path: string): Promise<string | undefined> {
  const candidates = isAbsolute(name) ? [name] : path.split(delimiter).map((folder) => join(folder, name));
  for (const candidate of candidates) {
    const failed = await access(candidate, constants.X_OK).catch((error: unknown) => error);
    if (failed === undefined) return candidate;
  }
  return undefined;
}
