/** Manages the folders of revisions' files, below `deployments` of the home folder. */
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type BuildTools, StepFailure } from "../../engine/ports/builds.ts";
import { removeTree } from "../remove-tree.ts";

export function createRevisionFolders(
  home: string,
): Pick<BuildTools, "newFolder" | "filesOf" | "remove" | "removeAll"> {
  const deploymentFolder = (deployment: string): string => join(home, "deployments", deployment);
  const revisionFolder = (deployment: string, revision: number): string =>
    join(deploymentFolder(deployment), "revisions", String(revision));
  return {
    async newFolder(deployment, revision) {
      const folder = revisionFolder(deployment, revision);
      await rm(folder, { recursive: true, force: true });
      await mkdir(dirname(folder), { recursive: true });
      return folder;
    },
    async filesOf(deployment, revision, source) {
      const root = revisionFolder(deployment, revision);
      const folder = join(root, source.type === "folder" ? "" : (source.folder ?? ""));
      if (existsSync(folder)) return { root, folder };
      throw new StepFailure(`The files of revision ${revision} are gone`, { fix: "Deploy its source again." });
    },
    remove: (deployment, revision) => rm(revisionFolder(deployment, revision), { recursive: true, force: true }),
    removeAll: (deployment) => removeTree(deploymentFolder(deployment)),
  };
}
