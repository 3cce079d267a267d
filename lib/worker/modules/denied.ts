/** Patches of `node:fs`. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Makes an unreadable file count as absent, as packages expect. Some releases of Node.js throw in `existsSync`. */
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
 * Makes `fs.cpSync` check each entry, which it does if it has a filter. Without one, it copies the links in a folder
 * without asking the permission model (seen with Node.js 24.21), and by such a copy a process escapes its restrictions.
 */
export function copyWithoutLinks(): void {
  // Code of the operator's own folder is not restricted.
  if (!process.permission) return;
  const { cpSync } = fs;
  fs.cpSync = (source, destination, options) => {
    cpSync(source, destination, { ...options, filter: options?.filter ?? (() => true) });
  };
  syncBuiltinESMExports();
}
