import { parseGraphPath, type AppConfig } from "../../protocol/config.ts";
import type { PreflightReport } from "../../protocol/preflight.ts";
import { counted } from "../../rules/text/counted.ts";
import type { FetchedSource } from "../ports/builds.ts";
import { doStep, type ActiveBuild } from "./build-step.ts";

/** Runs the steps of a build that makes no files. */
export async function makeInPlace(build: ActiveBuild, folder: string): Promise<FetchedSource> {
  const fetched = { folder, root: folder };
  const done = (note: string) => [() => Promise.resolve(), () => ({ note })] as const;
  await doStep(build, "cloning", ...done("served from the folder itself"));
  await doStep(
    build,
    "validating",
    async () => reportOf(await build.control.buildTools.config({ folder })),
    (report) => ({ report, note: counted(report.graphs.length, "graph") }),
  );
  await doStep(build, "installing", ...done("the folder's own packages"));
  await doStep(build, "building", ...done("compiled as it is loaded"));
  return fetched;
}

/** Reports the graphs of the configuration. Their files are checked when they are loaded. */
function reportOf({ graphs }: AppConfig): PreflightReport {
  const detected = Object.entries(graphs).map(([graph, { path, description }]) => {
    const { file, exportName } = parseGraphPath(path);
    return { graph, file, export: exportName, description };
  });
  return { ok: true, config_file: null, graphs: detected, packages: null, node: "24", variables: [], findings: [] };
}
