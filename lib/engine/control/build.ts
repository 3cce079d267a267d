import type { AppConfig } from "../../protocol/config.ts";
import type { PreflightReport } from "../../protocol/preflight.ts";
import { type GraphShape, shapeOf } from "../../rules/graphs/shape.ts";
import { counted } from "../../rules/text/counted.ts";
import { isInPlace } from "../../rules/sources/in-place.ts";
import { placeWords } from "../../rules/revisions/words.ts";
import { redactor } from "../../rules/text/redact.ts";
import { configDigests, type RevisionInputs } from "../../rules/revisions/changes.ts";
import { loadProblem } from "../../rules/revisions/start-problem.ts";
import { ensureSystemAssistants } from "../assistants.ts";
import type { FetchedSource, InstalledPackages, StoredDeployment, StoredRevision } from "../ports/builds.ts";
import type { Candidate, ControlPlane } from "../ports/control.ts";
import { type StepContext, StepFailure } from "../ports/builds.ts";
import { endOf, requeueBuild, type StoreEnd, storeEnd } from "./build-end.ts";
import {
  type AbortReason,
  buildName,
  doStep,
  BuildSuperseded,
  logBuild,
  timeOf,
  type ActiveBuild,
} from "./build-step.ts";
import type { Platform } from "../ports/ports.ts";
import { resolveOnAbort } from "../resolve-on-abort.ts";
import { makeInPlace } from "./build-in-place.ts";
import { requireIsolation } from "./isolation.ts";
import { builtSourceOf, inPlaceFolder } from "./serve-live.ts";
import { removeOldBuilds } from "./old-builds.ts";
import { openCredentials, openVariables } from "./variables.ts";

/**
 * Builds a claimed revision until it is live, has failed, or is cancelled. Never rejects. Resolves with a function when
 * the end of the build could not be stored: the revision is not built again before that function has succeeded.
 */
export async function buildRevision(
  platform: Platform,
  control: ControlPlane,
  revision: StoredRevision,
): Promise<StoreEnd | undefined> {
  const abort = new AbortController();
  const ended = Promise.withResolvers<void>();
  control.building.set(buildName(revision), { abort, ended: ended.promise });
  let build: ActiveBuild | undefined;
  try {
    const deployment = await control.deployments.byId(revision.deployment_id);
    if (!deployment) return undefined;
    build = { platform, control, name: deployment.name, revision, abort, redact: (text) => text };
    // The deployment may have been stopped or deleted after the claim.
    if (deployment.wanted !== "running") abort.abort("cancelled" satisfies AbortReason);
    abort.signal.throwIfAborted();
    await control.hosting.open(deployment);
    await buildSteps(build, deployment);
    control.emitChange(build.name);
    return undefined;
  } catch (thrown) {
    return await storeEnd(platform, build ? endOf(build, thrown) : () => requeueBuild(platform, control, revision));
  } finally {
    control.building.delete(buildName(revision));
    ended.resolve();
  }
}

async function buildSteps(build: ActiveBuild, deployment: StoredDeployment): Promise<void> {
  const { control, revision, platform } = build;
  const { all: variables, secrets, set } = await openVariables(control, deployment.deployment_id);
  build.revision = { ...build.revision, inputs: { variables: set } };
  const credentials = await openCredentials(control, deployment.deployment_id);
  build.redact = redactor({ ...secrets, ...credentials?.secrets });
  const began = platform.clock.now();
  const { source } = revision;
  const fetched = isInPlace(source)
    ? await makeInPlace(build, inPlaceFolder(control, deployment.name, source))
    : revision.build_of === null
      ? await make(build, deployment, Object.keys(variables), credentials?.credentials)
      : await reuse(build, deployment, revision.build_of);
  let candidate: Candidate | undefined;
  try {
    const { number } = revision;
    const { folder } = fetched;
    const root = isInPlace(source) ? undefined : fetched.root;
    const node = build.revision.report?.node ?? "24";
    const started = { deployment, source, number, folder, root, node, variables, secrets };
    candidate = await doStep(build, "starting", (context) => control.hosting.start(started, context));
    await check(build, candidate);
    const served = platform.find(deployment.name);
    if (served) await ensureSystemAssistants(platform, served, candidate.config, candidate.seeds);
    const live_at = timeOf(platform);
    if (!(await control.revisions.goLive(build.revision, { live_at }))) throw new BuildSuperseded();
    build.revision = { ...build.revision, state: "live", live_at };
  } catch (thrown) {
    await candidate?.discard();
    throw thrown;
  }
  control.hosting.serve(deployment.name, candidate);
  const seconds = ((platform.clock.now() - began) / 1000).toFixed(1);
  logBuild(build, { stream: "us", text: `Live after ${seconds} s` });
  await removeOldBuilds(control, deployment).catch((error: unknown) =>
    platform.logger.error(`old builds of ${build.name} could not be removed`, error),
  );
}

/** Adds inputs to those that are known of the build. */
function inputsWith({ revision }: ActiveBuild, more: Partial<RevisionInputs>): RevisionInputs {
  return { variables: {}, ...revision.inputs, ...more };
}

/** Returns the files of an earlier build, and copies its report, commit and inputs to the revision. */
async function reuse(build: ActiveBuild, deployment: StoredDeployment, number: number): Promise<FetchedSource> {
  const { control, revision } = build;
  const original = await control.revisions.get(deployment.deployment_id, number);
  const { variables: _variables, ...made } = original?.inputs ?? {};
  const inputs = inputsWith(build, made);
  const known = { report: original?.report ?? null, commit: original?.commit ?? null, inputs };
  if (!(await control.revisions.move(revision, "starting", "starting", known))) throw new BuildSuperseded();
  build.revision = { ...revision, ...known };
  return await control.buildTools.filesOf(builtSourceOf(deployment, build.revision, number), build.abort.signal);
}

/** Makes the files that are started. */
async function make(
  build: ActiveBuild,
  { deployment_id, name, settings }: StoredDeployment,
  variables: readonly string[],
  credentials: Parameters<ControlPlane["buildTools"]["sources"]["fetch"]>[1],
): Promise<FetchedSource> {
  const { buildTools } = build.control;
  const { source, number } = build.revision;
  const id = { deployment_id, name, number };
  const fetched = await doStep(
    build,
    "cloning",
    async (context) => {
      requireIsolation(build.control.isolation, { source, settings });
      return await buildTools.sources.fetch(source, credentials, await buildTools.newFolder(id), context);
    },
    ({ commit }) => ({ commit: commit ?? null, note: commit?.sha.slice(0, 7) }),
  );
  const { report, config } = await doStep(
    build,
    "validating",
    async ({ signal, writeLine }) => {
      const found = await buildTools.preflight(fetched, variables, signal);
      for (const line of linesOf(found)) writeLine({ stream: "us", text: line });
      throwFirst(found.findings.filter(({ step }) => step === undefined));
      return { report: found, config: await buildTools.config(fetched) };
    },
    (found) => ({
      report: found.report,
      inputs: inputsWith(build, { config: configDigests(found.config, (text) => digestOf(build.platform, text)) }),
      note: counted(found.report.graphs.length, "graph"),
    }),
  );
  // The build fails here, before packages are installed, when the report has errors.
  if (!report.ok) await doStep(build, "building", () => Promise.resolve(throwFirst(report.findings)));
  const { installed } = await doStep(
    build,
    "installing",
    async (context) => await install(build, fetched, report, settings.install_scripts, context),
    ({ note, installed: packages }) => ({ note, inputs: inputsWith(build, { packages: packages?.key ?? null }) }),
  );
  await doStep(
    build,
    "building",
    async (context) => {
      const compiled = await buildTools.compile(fetched, codeOf(config, report), context);
      await buildTools.share(id, fetched, installed, context);
      return compiled;
    },
    ({ files }) => ({ note: counted(files, "file"), build_of: number }),
  );
  return fetched;
}

/** Installs packages. Returns a note for the step, and the packages. */
async function install(
  build: ActiveBuild,
  fetched: FetchedSource,
  { packages, node }: PreflightReport,
  scripts: boolean,
  context: StepContext,
): Promise<{ note: string; installed: InstalledPackages | null }> {
  if (!packages) return { note: "nothing to install", installed: null };
  const how = { packages, node, scripts };
  const { reused, key } = await build.control.buildTools.install(fetched, how, context);
  const from = packages.lockfile === undefined ? "no lockfile" : "lockfile";
  return { note: `${packages.manager}, ${reused ? "packages of an earlier build" : from}`, installed: { key, how } };
}

/** Returns the code to compile: only the graphs that the preflight found. */
function codeOf(config: AppConfig, report: PreflightReport): Parameters<ControlPlane["buildTools"]["compile"]>[1] {
  const found = new Set(report.graphs.map((one) => one.graph));
  const graphs = Object.entries(config.graphs).filter(([graph]) => found.has(graph));
  const embed = config.store?.index?.embed;
  const { node } = report;
  return { graphs: Object.fromEntries(graphs), auth: config.auth?.path, app: config.http.app, embed, node };
}

/** Checks that the loaded code can serve: each graph has loaded and can be drawn. */
async function check(build: ActiveBuild, { worker }: Candidate): Promise<void> {
  const tolerant = isInPlace(build.revision.source);
  await doStep(
    build,
    "checking",
    async ({ writeLine, signal }) => {
      for (const { graph, error, file, line } of worker.graphs()) {
        if (!error) continue;
        const { message, ...place } = loadProblem(graph, error);
        if (!tolerant) throw new StepFailure(message, file === undefined ? place : { ...place, file, line });
        writeLine({ stream: "err", text: message });
      }
      const loaded = worker.graphs().filter((one) => !one.error);
      const drawing = Promise.all(loaded.map(({ graph }) => drawn(build, worker, graph, signal)));
      await resolveOnAbort(drawing, signal);
      signal.throwIfAborted();
      const shapes = await drawing;
      const known = shapes.filter((shape) => shape !== undefined);
      const schemas = known.filter((shape) => shape.keys !== null).length;
      writeLine({ stream: "us", text: `${counted(known.length, "graph")} drawn, ${schemas} with schemas` });
      return Object.fromEntries(loaded.map(({ graph }, at) => [graph, shapes[at] ?? { nodes: [], keys: null }]));
    },
    (shapes) => ({ note: counted(Object.keys(shapes).length, "graph"), shapes }),
  );
}

async function drawn(
  build: ActiveBuild,
  worker: Candidate["worker"],
  graph: string,
  signal: AbortSignal,
): Promise<GraphShape | undefined> {
  try {
    return shapeOf(await worker.drawing(graph, false), await worker.schemas(graph, "none"));
  } catch (error) {
    if (signal.aborted) return undefined;
    logBuild(build, { stream: "err", text: `Graph "${graph}" can't be drawn: ${String(error)}` }, "checking");
    return undefined;
  }
}

function digestOf({ sha1 }: Platform, text: string): string {
  return Buffer.from(sha1(new TextEncoder().encode(text)))
    .toString("hex")
    .slice(0, 12);
}

/** Throws `StepFailure` with the first error, if there is one. */
function throwFirst(findings: PreflightReport["findings"]): void {
  const first = findings.find((one) => one.level === "error");
  if (!first) return;
  const { file, line, column, fix } = first;
  throw new StepFailure(first.message, { file, line, column, fix });
}

function linesOf({ findings }: PreflightReport): string[] {
  return findings.map((one) => {
    const words = [one.level, placeWords(one), one.message, one.fix];
    return words.filter((part) => part !== undefined).join("  ");
  });
}
