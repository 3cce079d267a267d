/** Explains imports of the source's own packages that lead to no file. */
import { existsSync, lstatSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { isObject } from "../../protocol/json.ts";

export interface UnbuiltPackage {
  text: string;
  fix: string;
}

/**
 * Explains what an import by this name is missing if the package is one of the source's own: its package.json is then a
 * link to the source. `root` is a real path.
 */
export function unbuiltPackage(name: string, importer: string, root: string): UnbuiltPackage | undefined {
  const file = manifestOf(name, dirname(importer), root);
  if (file === undefined) return undefined;
  const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
  const folder = relative(root, dirname(file)).split(sep).join("/");
  const scripts = isObject(manifest) && isObject(manifest.scripts) ? manifest.scripts : {};
  if (typeof scripts.build !== "string") {
    const text = `${name} in ${folder} has no file for this import`;
    return { text, fix: `Correct main or exports in ${folder}/package.json, or commit the files that they name.` };
  }
  return {
    text: `${name} in ${folder} is not built: its script "build" makes what this import means`,
    fix: `Allow install scripts in the deployment's settings (install_scripts), or commit what "npm run build" makes in ${folder}.`,
  };
}

/** Returns the real path of the package.json if it is in the source and not among installed packages. */
function manifestOf(name: string, folder: string, root: string): string | undefined {
  for (let at = folder; at === root || at.startsWith(root + sep); at = dirname(at)) {
    const file = join(at, "node_modules", name, "package.json");
    if (!existsSync(file)) continue;
    if (!lstatSync(file).isSymbolicLink()) return undefined;
    const real = realpathSync(file);
    return real.startsWith(root + sep) && !real.includes(`${sep}node_modules${sep}`) ? real : undefined;
  }
  return undefined;
}
