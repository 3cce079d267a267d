import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { DeploymentRecord } from "../protocol/control.ts";
import { Revision } from "../protocol/revisions.ts";
import { GitSource, Upload, type Source } from "../protocol/sources.ts";
import { counted } from "../rules/text/counted.ts";
import { nameFrom } from "../rules/revisions/deployment-name.ts";
import { isSameSource, keptSource } from "../rules/sources/same-source.ts";
import { CommandFailure } from "./failure.ts";
import { followBuild } from "./follow.ts";
import { packFolder } from "./pack.ts";
import { plain } from "../rules/text/terminal-text.ts";
import type { Screen } from "./screen.ts";
import { findDeployment, getDeployment, type Server } from "./server.ts";

export interface DeployOptions {
  name?: string;
  ref?: string;
  folder?: string;
  "env-file"?: string;
  follow?: boolean;
  /** Sends a folder even if the server could read it from its own disk. */
  upload?: boolean;
}

/** Deploys a repository, or a folder as it is on disk. An existing name gets a new revision. */
export async function deploy(server: Server, screen: Screen, from: string, options: DeployOptions): Promise<void> {
  const source = sourceOf(from, options);
  const inside = source.type === "folder" ? { ...source, path: join(source.path, options.folder ?? "") } : source;
  const name = options.name ?? nameFrom(inside);
  const environment = environmentOf(options["env-file"]);
  const existing = await findDeployment(server, name);
  const isOther = (wanted: Source): boolean => !!existing && !isSameSource(existing.source, wanted);
  const deploySource = async (wanted: Source): Promise<Revision> => {
    if (!existing) return await create(server, { name, source: wanted, environment });
    if (options.name === undefined && isOther(wanted)) throw nameTaken(existing);
    return await redeploy(server, name, { source: keptSource(existing.source, wanted), environment });
  };
  const revision =
    source.type === "git"
      ? await deploySource(source)
      : await deployFolder(server, screen, source.path, options, deploySource);
  screen.print(`Revision ${revision.number} of ${name}, from ${describeSource(revision.source)}`);
  if (options.follow) {
    await followToLive(server, screen, revision);
    return;
  }
  screen.print(`Follow it with: graphlib logs ${name} --build ${revision.number} -f`);
  if (screen.json) screen.result({ deployment: await getDeployment(server, name), revision });
}

/** Follows a build and shows its address. Throws `CommandFailure` for a build that never goes live. */
export async function followToLive(server: Server, screen: Screen, revision: Revision): Promise<void> {
  const end = await followBuild(server, screen, revision);
  const deployment = await getDeployment(server, revision.deployment);
  screen.result({ deployment, revision: end.revision });
  if (end.failure) throw end.failure;
  screen.print(`Live at ${deployment.api_url}`);
}

async function create(
  server: Server,
  body: { name: string; source: Source; environment?: { env_file: string } },
): Promise<Revision> {
  const { name, newest } = await server.call("POST", "/deployments", DeploymentRecord, body);
  if (newest) return newest;
  throw new CommandFailure(`The first revision of ${name} is gone`, { fix: "Deploy again." });
}

async function redeploy(
  server: Server,
  name: string,
  change: { source: Source; environment?: { env_file: string } },
): Promise<Revision> {
  await server.call("PATCH", `/deployments/${name}`, DeploymentRecord, change);
  return await server.call("POST", `/deployments/${name}/revisions`, Revision, {});
}

function nameTaken({ name, source }: DeploymentRecord): CommandFailure {
  const fix = `Add --name ${name} to deploy this in its place, or another name.`;
  return new CommandFailure(`"${name}" is deployed from ${describeSource(source)}`, { fix });
}

function sourceOf(from: string, { ref, folder }: DeployOptions): GitSource | { type: "folder"; path: string } {
  const path = resolve(from);
  const git = GitSource.safeParse({ type: "git", url: isBare(path) ? path : from, ref, folder });
  if (git.success && (isBare(path) || !from.startsWith("/"))) return git.data;
  const found = statSync(path, { throwIfNoEntry: false });
  const issues = git.error?.issues ?? [];
  const issue = issues.find(({ path: [member] }) => member !== "url");
  const isUrl = !from.startsWith("/") && issues.every(({ path: [member] }) => member !== "url");
  if (issue && isUrl) throw new CommandFailure(`--${String(issue.path[0])}: ${issue.message}`);
  if (!found) {
    const fix = /^[\w-]+(\.[\w-]+)+\/./.test(from) ? `Did you mean https://${from}?` : "Check it for a mistyped name.";
    throw new CommandFailure(`${from} is neither the address of a repository nor a folder`, { fix });
  }
  if (!found.isDirectory())
    throw new CommandFailure(`${from} is not a folder`, { fix: "Name the application's folder." });
  if (ref !== undefined) {
    throw new CommandFailure("--ref: a folder is deployed as it is on disk", { fix: "Name the repository's address." });
  }
  return { type: "folder", path };
}

/** Returns whether a folder is a bare repository, which git serves and which cannot be deployed as it is. */
function isBare(path: string): boolean {
  return ["HEAD", "objects", "refs"].every((name) => existsSync(join(path, name)));
}

/** Sends a folder to the server if the server cannot, or may not, read it from its own disk. */
async function deployFolder(
  server: Server,
  screen: Screen,
  path: string,
  { folder, upload }: DeployOptions,
  deploySource: (source: Source) => Promise<Revision>,
): Promise<Revision> {
  if (server.isLocal && !upload) {
    try {
      return await deploySource({ type: "folder", path: join(path, folder ?? "") });
    } catch (thrown) {
      if (!(thrown instanceof CommandFailure) || thrown.status !== 403) throw thrown;
    }
  }
  const { archive, files } = await packFolder(path);
  screen.print(`Sending ${counted(files, "file")}`);
  const { upload_id } = await server.send("/uploads", Upload, archive);
  return await deploySource({ type: "upload", upload_id, file_name: basename(path), folder });
}

function environmentOf(file: string | undefined): { env_file: string } | undefined {
  if (file === undefined) return undefined;
  try {
    return { env_file: readFileSync(file, "utf8") };
  } catch (cause) {
    throw new CommandFailure(`--env-file: ${file} can't be read`, { fix: "Check its path.", cause });
  }
}

export function describeSource(source: Source): string {
  if (source.type === "git") return plain(`${source.url}${source.ref === undefined ? "" : ` at ${source.ref}`}`);
  if (source.type === "folder") return plain(source.path);
  return plain(`an archive${source.file_name === undefined ? "" : ` of ${source.file_name}`}`);
}
