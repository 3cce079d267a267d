import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";

/**
 * Removes a folder that untrusted code has written to. Its paths may be longer than a system call accepts, and its
 * folders may be closed. The system's `rm` descends step by step and follows no links.
 */
export async function removeTree(path: string): Promise<void> {
  const script = 'chmod -R u+rwX -- "$1" 2>/dev/null; exec rm -rf -- "$1"';
  const code = await new Promise<unknown>((resolve) => {
    execFile("nice", ["-n", "10", "/bin/sh", "-c", script, "sh", path], (error) => resolve(error));
  });
  // This is for systems without these programs, and throws the error if the folder cannot be removed.
  if (code !== null) await rm(path, { recursive: true, force: true, maxRetries: 3 });
}
