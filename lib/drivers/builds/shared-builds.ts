/** The files of builds on servers that share their deployments: one server builds, and the others bring its files here. */
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BuildId, BuildTools, BuiltSource } from "../../engine/ports/build-tools.ts";
import {
  type FetchedSource,
  type InstalledPackages,
  isStepFailure,
  silentContext,
  StepFailure,
} from "../../engine/ports/builds.ts";
import type { Logger } from "../../engine/ports/ports.ts";
import type { NamedBlob, NamedBlobs } from "../blobs/named-blobs.ts";
import { createKeyedLock } from "../keyed-lock.ts";
import { removeTree } from "../remove-tree.ts";
import type { WorkFolders } from "../work-folders.ts";
import { sizeText } from "../usage.ts";
import { packageFolders } from "./links.ts";
import { KEY_FILE, packagesOf } from "./package-cache.ts";
import { packFolder, unpackFolder } from "./packing.ts";
import { platformName } from "./platform-name.ts";
import { createRevisionFolders } from "./revision-folders.ts";

/** A file of a revision with the digest of the blob that holds the same files. It is written last. */
const BLOB_FILE = join(".graphlib", "blob");
/** The names of builds begin with it. */
export const BUILDS = "build/";

export interface SharedBuildsOptions {
  home: string;
  blobs: NamedBlobs;
  work: WorkFolders;
  install: BuildTools["install"];
  logger: Logger;
}

type Files = Pick<BuildTools, "newFolder" | "share" | "filesOf" | "remove" | "removeAll">;

export function sharedBuilds({ home, blobs, work, install, logger }: SharedBuildsOptions): Files {
  const folders = createRevisionFolders(home);
  const lock = createKeyedLock();

  const share: Files["share"] = async (build, { root }, packages, { signal, writeLine }) => {
    const details = { packages: packages && { ...packages, platform: platformName() } };
    try {
      await work.use(async (scratch) => {
        const file = join(scratch, "build");
        await packFolder(root, file, await notPacked(home, root), signal);
        const { sha256 } = await blobs.put(nameOf(build), file, details);
        await writeDigest(root, sha256);
        const { size } = await stat(file);
        writeLine({ stream: "us", text: `Stored for all servers, ${sizeText(size)}` });
      });
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(logger, error, build, "could not be stored for the other servers");
    }
  };

  const bring = async (build: BuiltSource, blob: NamedBlob, signal: AbortSignal): Promise<FetchedSource> => {
    const root = await folders.newFolder(build);
    try {
      await blobs.read(blob, `The files of revision ${build.number}`, (bytes) => unpackFolder(bytes, root, signal));
      const files = await folders.filesOf(build, signal);
      const packages = packagesIn(blob);
      if (packages) await install(files, { ...packages.how, earlier: packages }, silentContext(signal));
      await writeDigest(root, blob.sha256);
      return files;
    } catch (error) {
      await removeTree(root);
      signal.throwIfAborted();
      throw failureOf(logger, error, build, "could not be brought to this server");
    }
  };

  const notShared = (error: unknown): void => logger.error("a build could not be stored for the other servers", error);

  return {
    newFolder: folders.newFolder,
    share,
    filesOf: (build, signal) =>
      lock(folders.pathOf(build), signal, async () => {
        const blob = await blobs.find(nameOf(build));
        if (blob && (await digestIn(folders.pathOf(build))) !== blob.sha256) return await bring(build, blob, signal);
        const files = await folders.filesOf(build, signal);
        // It was built before this server shared its deployments.
        if (!blob) await share(build, files, build.packages, silentContext(signal)).catch(notShared);
        return files;
      }),
    async remove(build) {
      await blobs.drop([nameOf(build)]);
      await folders.remove(build);
    },
    async removeAll(deployment) {
      const named = await blobs.list(`${BUILDS}${deployment.deployment_id}/`);
      await blobs.drop(named.map(({ name }) => name));
      await folders.removeAll(deployment);
    },
  };
}

/** Logs an error that is not meant for callers. */
function failureOf(logger: Logger, error: unknown, { name, number }: BuildId, what: string): StepFailure {
  if (isStepFailure(error)) return error;
  const message = `The files of revision ${number} ${what}`;
  logger.error(`${name}: ${message}`, error);
  return new StepFailure(message, { fix: "The server's log says why" }, error);
}

function nameOf({ deployment_id, number }: BuildId): string {
  return `${BUILDS}${deployment_id}/${number}`;
}

/** Returns the packages of a build with what they were made for, as `share` has stored them. */
export function packagesIn({ details }: NamedBlob): (InstalledPackages & { platform: string }) | undefined {
  return (details.packages as (InstalledPackages & { platform: string }) | null) ?? undefined;
}

/** Returns the digest of the blob that has the files of this folder; undefined if they are not complete. */
export async function digestIn(root: string): Promise<string | undefined> {
  return await readFile(join(root, BLOB_FILE), "utf8").catch(() => undefined);
}

async function writeDigest(root: string, digest: string): Promise<void> {
  const file = join(root, BLOB_FILE);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, digest);
}

/** Returns the paths of what every server makes for itself: the folders of linked packages among them. */
async function notPacked(home: string, root: string): Promise<ReadonlySet<string>> {
  const packages = packagesOf(home, root);
  return new Set([BLOB_FILE, KEY_FILE, ...(packages === undefined ? [] : await packageFolders(packages))]);
}
