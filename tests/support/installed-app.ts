import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/installed-apps", import.meta.url));
const LIMIT_MS = 110_000;

/**
 * Returns a copy of an application with the packages of its package.json installed beside it, cached for the next run.
 * Returns undefined when they cannot be installed because no registry can be reached.
 */
export function installedApp(app: string): string | undefined {
  const wanted = createHash("sha1")
    .update(readFileSync(join(app, "package.json")))
    .digest("hex");
  const folder = join(CACHE, wanted);
  const done = join(folder, "node_modules", ".installed");
  mkdirSync(folder, { recursive: true });
  cpSync(app, folder, { recursive: true });
  if (existsSync(done)) return folder;
  const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps"];
  const shell = process.platform === "win32";
  const { status } = spawnSync("npm", install, { cwd: folder, stdio: "ignore", timeout: LIMIT_MS, shell });
  if (status !== 0) {
    rmSync(join(folder, "node_modules"), { recursive: true, force: true });
    return undefined;
  }
  writeFileSync(done, "");
  return folder;
}
