/** Reads the packages of a workspace from a source. */
import { join, sep } from "node:path";
import { StepFailure } from "../../engine/ports/builds.ts";
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { readJsonText } from "../../rules/text/json-text.ts";
import { matchesMembers, workspacePatterns } from "../../rules/packages/package-home.ts";
import { entryFile, type WorkspaceMember } from "../../rules/packages/workspace.ts";
import { readEntries, NO_SOURCES, type SourceFiles } from "./source-files.ts";

const DEEPEST = 6;
const MOST_FOLDERS = 5_000;

/**
 * Reads the package.json of `base`, a folder of the source, and of its workspace's members. The first is that of `base`
 * itself. Throws `StepFailure` for a package.json that can't be read.
 */
export async function readMembers(
  root: string,
  base: string,
  pnpmWorkspace: string | undefined,
  files: SourceFiles,
): Promise<WorkspaceMember[]> {
  const manifest = await readManifest(root, base, files);
  const paths = await membersOf(join(root, base), workspacePatterns(manifest, pnpmWorkspace));
  const members = paths.map(async (path) => ({ path, manifest: await readManifest(root, join(base, path), files) }));
  return [{ path: "", manifest }, ...(await Promise.all(members))];
}

async function readManifest(root: string, folder: string, files: SourceFiles): Promise<JsonObject> {
  const file = join(folder, "package.json");
  const text = await files.text(join(root, file));
  const read = text === undefined ? undefined : readJsonText(text);
  if (read && "value" in read && isObject(read.value)) return read.value;
  const problem = read && "problem" in read ? read : undefined;
  const message = `${file} ${problem ? `is not JSON: ${problem.problem}` : "can't be read"}`;
  throw new StepFailure(message, { file, line: problem?.place.line, fix: problem?.fix ?? "Write it as a JSON object" });
}

/** Returns the folders with a package.json that match the patterns. */
async function membersOf(base: string, patterns: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const queue = patterns.length === 0 ? [] : [""];
  for (let visited = 0; visited < MOST_FOLDERS; visited++) {
    const path = queue.shift();
    if (path === undefined) break;
    const entries = await readEntries(join(base, path));
    const isPackage = entries.some((one) => one.isFile() && one.name === "package.json");
    if (path !== "" && isPackage && matchesMembers(patterns, path.replaceAll(sep, "/"))) found.push(path);
    if (path.split(sep).length >= DEEPEST) continue;
    const inner = entries.filter((one) => one.isDirectory() && !NO_SOURCES.has(one.name));
    queue.push(...inner.map(({ name }) => join(path, name)));
  }
  return found.toSorted();
}

/** Node.js adds these to a `main` that is not a file. */
const ENDINGS = ["", ".js", ".json", ".node", "/index.js"];

/** Returns the missing file that the package names as its entry, relative to its folder. `folder` is absolute. */
export async function missingEntry(
  folder: string,
  { manifest }: WorkspaceMember,
  files: SourceFiles,
): Promise<string | undefined> {
  const entry = entryFile(manifest);
  if (entry === undefined) return undefined;
  if (entry.endsWith("/")) return (await files.kind(join(folder, entry))) === "folder" ? undefined : entry;
  for (const ending of manifest.exports === undefined ? ENDINGS : [""])
    if ((await files.kind(join(folder, entry + ending))) === "file") return undefined;
  return entry;
}
