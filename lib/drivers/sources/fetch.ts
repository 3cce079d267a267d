import { readdir, realpath, rm, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { silentContext, type Sources, StepFailure, type StepContext } from "../../engine/ports/builds.ts";
import type { Commit, Credentials, Source } from "../../protocol/sources.ts";
import { parseGitAddress } from "../../rules/sources/git-address.ts";
import { nearNames } from "../../rules/text/near-name.ts";
import { isPublic, type Resolve } from "../addresses.ts";
import type { NamedBlobs } from "../blobs/named-blobs.ts";
import type { CommandEnvironment } from "../builds/guard.ts";
import { copyFolder, resolveFolder } from "./copy-folder.ts";
import { diskFullFailure } from "./failures.ts";
import { folderCommit } from "./folder-commit.ts";
import { fetchGit } from "./git.ts";
import { createGitCaches, type GitCaches } from "./git-caches.ts";
import type { RemoteOptions } from "./git-remote.ts";
import { SOURCE_LIMITS, type SourceLimits } from "./limits.ts";
import { createSourceCopies } from "./source-copies.ts";
import { sharedUploads } from "./shared-uploads.ts";
import { createUploads, type UploadStore } from "./upload.ts";
import { createWorkFolders } from "../work-folders.ts";

/** The most folders that a failure suggests in place of a missing one. */
const MOST_SUGGESTED = 8;

export interface SourcesOptions {
  /** The folder of all state. */
  home: string;
  /** Variables for git: `PATH`, proxies and certificates. Git gets nothing else from this process's environment. */
  env: CommandEnvironment;
  /** Allows folders of this machine, hosts that are not public, and plain http. */
  allowLocal: boolean;
  limits?: SourceLimits;
  uploadBytes?: number;
  /** Lets other servers have the uploads. */
  blobs?: NamedBlobs | undefined;
  /** The program used in place of `ssh`. */
  ssh?: string;
  /** Replaces the hosts that `allowLocal` allows, and the system's resolver. */
  remote?: Pick<RemoteOptions, "protocols" | "allowsAddress">;
  resolve?: Resolve;
  /** The time and the number of copies that are kept for inspection. */
  copies?: { keptMs?: number; most?: number };
}

/** Creates the driver of sources: git repositories, folders of this machine, uploaded archives. */
export function createSources(options: SourcesOptions): Sources {
  const { home, allowLocal, env } = options;
  const work = createWorkFolders(join(home, "work"));
  const caches = createGitCaches(join(home, "repositories"));
  const uploads = uploadsOf(options);
  const resources: Resources = {
    ...options,
    limits: options.limits ?? SOURCE_LIMITS,
    remote: remoteOf(options),
    caches,
    uploads,
  };

  const fetch: Sources["fetch"] = async (source, credentials, into, context) => {
    try {
      const { commit, source: found = source } = await work.use((folder) =>
        fetchInto(source, credentials, into, { ...resources, context, work: folder }),
      );
      // The platform writes this folder itself. A source must not bring its own.
      await rm(join(into, ".graphlib"), { recursive: true, force: true });
      const folder = await folderInside(into, folderOf(found));
      return { folder, root: into, ...(commit && { commit }), ...(found !== source && { source: found }) };
    } catch (error) {
      await rm(into, { recursive: true, force: true });
      throw timeoutFailure(source, error) ?? diskFullFailure(error) ?? error;
    }
  };

  const copies = createSourceCopies({ root: join(home, "looks"), fetch, ...options.copies });
  return {
    fetch,
    async fetchCached(source, credentials, signal) {
      if (source.type !== "folder") return await copies.get(source, credentials, signal);
      // A folder of this machine is read in place.
      const folder = await openLocalFolder(source.path, allowLocal);
      const context = silentContext(signal);
      const commit = await work.use((scratch) => folderCommit(folder, { context, env, work: scratch }));
      return { folder, root: folder, ...(commit && { commit }) };
    },
    uploads,
    async sweep(inUse) {
      await work.sweep();
      await copies.sweep();
      await caches.sweep(Date.now());
      await uploads.sweep(inUse, Date.now());
    },
  };
}

function uploadsOf({ home, uploadBytes, blobs }: SourcesOptions): UploadStore {
  const folder = join(home, "uploads");
  const uploads = createUploads(folder, uploadBytes);
  return blobs ? sharedUploads(uploads, folder, blobs) : uploads;
}

function remoteOf({ remote, allowLocal, resolve, env }: SourcesOptions): RemoteOptions {
  const everywhere: RemoteOptions["protocols"] = ["https", "ssh"];
  const usual = allowLocal
    ? { protocols: [...everywhere, "http" as const, "file" as const] }
    : { protocols: everywhere, allowsAddress: isPublic };
  const proxied = Object.entries(env).some(([name, value]) => /^(https?|all)_proxy$/i.test(name) && value);
  return { ...usual, ...remote, resolve, proxied };
}

/** Everything that all fetches share. */
interface Resources extends SourcesOptions {
  limits: SourceLimits;
  remote: RemoteOptions;
  caches: GitCaches;
  uploads: UploadStore;
}

/** Writes the source's files to `into`. */
async function fetchInto(
  source: Source,
  credentials: Credentials | undefined,
  into: string,
  resources: Resources & { context: StepContext; work: string },
): Promise<{ commit?: Commit; source?: Source }> {
  const { home, env, allowLocal, limits, context, work, remote, uploads } = resources;
  switch (source.type) {
    case "git": {
      const knownHosts = join(home, "known_hosts");
      return await fetchGit(source, credentials, into, context, { ...resources, ...remote, knownHosts });
    }
    case "folder": {
      const from = await openLocalFolder(source.path, allowLocal);
      const commit = await folderCommit(from, { context, env, work });
      context.writeLine({ stream: "us", text: `Copying the folder as it is${commitText(commit)}` });
      await copyFolder(from, into, { context, limits, home });
      return { commit };
    }
    case "upload":
      context.writeLine({ stream: "us", text: `Unpacking ${source.file_name ?? "the uploaded archive"}` });
      await uploads.unpack(source.upload_id, into, context, { part: join(work, "unpacked"), limits });
      return {};
  }
}

async function openLocalFolder(path: string, allowLocal: boolean): Promise<string> {
  if (allowLocal) return await resolveFolder(path);
  const fix = "Give the address of a git repository, or upload an archive";
  throw new StepFailure("Folders of the server's machine are not taken as sources here", { fix });
}

function commitText(commit: Commit | undefined): string {
  if (!commit) return "";
  return `, at commit ${commit.sha.slice(0, 12)}${commit.dirty ? " with changes since" : ""}`;
}

function folderOf(source: Source): string {
  return source.type === "folder" ? "" : (source.folder ?? "");
}

/** Returns the path of a folder of the source. Throws `StepFailure` when it is not in the source. */
async function folderInside(root: string, folder: string): Promise<string> {
  if (folder === "") return root;
  const top = await realpath(root);
  const found = await realpath(join(top, folder)).catch(() => undefined);
  const inside = found === undefined ? ".." : relative(top, found);
  if (found === undefined || inside.startsWith("..")) throw await missingFolder(root, folder);
  if (!(await stat(found)).isDirectory()) {
    const fix = "Give the folder that contains graphlib.json";
    throw new StepFailure(`${folder} is a file, not a folder`, { fix });
  }
  return join(root, inside);
}

async function missingFolder(root: string, folder: string): Promise<StepFailure> {
  const entries = await readdir(root, { withFileTypes: true, recursive: folder.includes("/") });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  const near = nearNames(folder, names);
  const fix = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : listTopFolders(names);
  return new StepFailure(`The source has no folder ${folder}`, { fix });
}

function listTopFolders(names: readonly string[]): string {
  const top = names.filter((name) => !name.includes("/"));
  return top.length > 0
    ? `It has ${top.toSorted().slice(0, MOST_SUGGESTED).join(", ")}`
    : "It has no folders: leave the folder empty";
}

function timeoutFailure(source: Source, error: unknown): StepFailure | undefined {
  if (!(error instanceof DOMException && error.name === "TimeoutError")) return undefined;
  const what = source.type === "git" ? (parseGitAddress(source.url)?.shown ?? "the repository") : "the source";
  const fix = "Try again; if it happens again, make it smaller";
  return new StepFailure(`Fetching ${what} took too long`, { fix }, error);
}
