/** Of a file that may not be read, some releases of Node.js throw when they are asked whether it is there. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** What may not be read is not there, as packages expect it that look around. */
export function tolerateDenied(): void {
  const { existsSync } = fs;
  fs.existsSync = (path) => {
    try {
      return existsSync(path);
    } catch {
      return false;
    }
  };
  syncBuiltinESMExports();
}

/**
 * Of a folder, `fs.cpSync` makes the links that lie in it without asking whether it may (seen with Node.js 24.21), and by
 * such a copy a process leaves what it is held to. With a filter it copies entry by entry, and asks.
 */
export function copyWithoutLinks(): void {
  // Code of the operator's own folder is held to nothing.
  if (!process.permission) return;
  const { cpSync } = fs;
  fs.cpSync = (source, destination, options) => {
    cpSync(source, destination, { ...options, filter: options?.filter ?? (() => true) });
  };
  syncBuiltinESMExports();
}
