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
