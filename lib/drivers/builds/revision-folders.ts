/** Manages the folders of revisions' files, below `deployments` of the home folder. */
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BuildId, BuildTools } from "../../engine/ports/build-tools.ts";
import { StepFailure } from "../../engine/ports/builds.ts";
import { removeTree } from "../remove-tree.ts";

export interface RevisionFolders extends Pick<BuildTools, "newFolder" | "filesOf" | "remove" | "removeAll"> {
  /** Returns the path of a revision's files, which may not exist. */
  pathOf(build: BuildId): string;
}

/** The files of builds on a server that has its deployments for itself. */
export function unsharedBuilds(home: string): RevisionFolders & Pick<BuildTools, "share"> {
  return { ...createRevisionFolders(home), share: () => Promise.resolve() };
}

export function createRevisionFolders(home: string): RevisionFolders {
  const deploymentFolder = (name: string): string => join(home, "deployments", name);
  const pathOf = ({ name, number }: BuildId): string => join(deploymentFolder(name), "revisions", String(number));
  return {
    pathOf,
    async newFolder(build) {
      const folder = pathOf(build);
      await rm(folder, { recursive: true, force: true });
      await mkdir(dirname(folder), { recursive: true });
      return folder;
    },
    async filesOf({ source, packages: _packages, ...build }) {
      const root = pathOf(build);
      const folder = join(root, source.type === "folder" ? "" : (source.folder ?? ""));
      if (existsSync(folder)) return { root, folder };
      throw new StepFailure(`The files of revision ${build.number} are gone`, { fix: "Deploy its source again." });
    },
    remove: (build) => rm(pathOf(build), { recursive: true, force: true }),
    removeAll: ({ name }) => removeTree(deploymentFolder(name)),
  };
}
