/** Installs packages once for all revisions with the same lockfile, and links them into each revision. */
import { mkdir, readFile, rm } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import {
  type FetchedSource,
  type Install,
  type InstallOptions,
  StepFailure,
  type StepContext,
} from "../../engine/ports/builds.ts";
import { type InstallFacts, readInstallProblem } from "../../rules/packages/install-problem.ts";
import type { NamingFile } from "../../rules/packages/install-traffic.ts";
import { isSameYarnLock, isWithinYarnLock } from "../../rules/packages/lockfile.ts";
import {
  changesLock,
  checkCommand,
  installCommand,
  type Manager,
  type ManagerCommand,
  needsCacheForScripts,
  packsSources,
  readsBuilt,
  type Scope,
  scriptsCommand,
  takesAllMembers,
} from "../../rules/packages/package-managers.ts";
import { mentionedMembers, plainNameOf } from "../../rules/packages/workspace.ts";
import type { BuildConfinement } from "./confinement.ts";
import { withInstallNetwork } from "./install-network.ts";
import { type InstallStep, runInstallStep } from "./install-step.ts";
import { linkOwnPackages, linkPackages, removeLinks, type SourcePackage } from "./links.ts";
import { keyOf, leaveOutBuilt, type Manifests, readManifests, writeManifests, writeSettings } from "./manifests.ts";
import { buildMembers } from "./build-members.ts";
import { chooseManager, fetchProgram, npmProgram } from "./package-manager.ts";
import { platformName } from "./platform-name.ts";
import type { PackageCache } from "./package-cache.ts";
import { refusePackedSources } from "./packed-sources.ts";
import type { NetworkRule } from "./host-connections.ts";
import type { NpmOptions } from "./registry.ts";
import { SourceFiles } from "./source-files.ts";
import type { Tools } from "./tools.ts";

export interface InstallerOptions extends NpmOptions {
  /** The folder of downloads. */
  downloads: string;
  cache: PackageCache;
  tools: Tools;
  network: NetworkRule;
  confinement: BuildConfinement;
}

/** The version of the layout of installed packages. A change makes all packages be installed again. */
const LAYOUT_VERSION = 3;

export function createInstall(options: InstallerOptions): Install {
  return async (fetched, request, context) => {
    const files = new SourceFiles(fetched.root);
    const { lockfile, folder: base = "" } = request.packages;
    const manager = await chooseManager(request.packages, fetched.root, files);
    const about = { root: fetched.root, base, manager: manager.name, lockfile };
    const only = neededPaths(request);
    const manifests = await readManifests(takesAllMembers(manager) ? { ...about, only } : about, files);
    const scope = scopeOf(request, manifests, only);
    const what = { ...scope, members: scope.members.map(({ path }) => path) };
    const { earlier } = request;
    // Without a lockfile the result depends on the day, so nothing is reused but what was installed for these files.
    const known = lockfile === undefined && earlier?.platform === platformName() ? earlier.key : undefined;
    const day = lockfile === undefined ? [Date.now(), process.hrtime.bigint().toString()] : [];
    const how = [LAYOUT_VERSION, manager, request.node, request.scripts, what, ...platformName().split("-"), ...day];
    const key = known ?? (await keyOf(manifests, how));
    if (lockfile === undefined && known === undefined) {
      const text = "No lockfile: the newest matching packages are installed, and the next build may install others";
      context.writeLine({ stream: "us", text });
    }
    const job: Job = { options, manager, request, scope, manifests, fetched, context };
    logScope(job);
    const { made } = await options.cache.use(
      key,
      fetched.root,
      context.signal,
      async (folder) => {
        const program = await fetchProgram(manager, options, context);
        await withSetup(job, (setup) => install(job, { ...setup, folder, program }));
      },
      async (folder) => {
        await linkPackages(folder, fetched.root);
        // The files of an earlier build have them.
        if (scope.dev && !earlier) await buildSourcePackages(job, folder);
      },
    );
    return { reused: !made, key };
  };
}

interface Job {
  options: InstallerOptions;
  manager: Manager;
  request: InstallOptions;
  scope: Scope;
  manifests: Manifests;
  fetched: FetchedSource;
  context: StepContext;
}

/** Packages of the source run their build scripts only where packages from registries run theirs. */
function buildsSourcePackages({ packages: { unbuilt = [] }, scripts }: InstallOptions): boolean {
  return scripts && unbuilt.length > 0;
}

/** Returns the members of a workspace whose packages are installed. */
function neededPaths(request: InstallOptions): string[] | undefined {
  const { members, builders = [] } = request.packages;
  // The root package.json of a workspace often lists the tools that build its packages.
  return members && buildsSourcePackages(request) ? [...members, ...builders, ""] : members;
}

function scopeOf(request: InstallOptions, { members }: Manifests, needed: readonly string[] = []): Scope {
  return {
    frozen: request.packages.lockfile !== undefined,
    dev: buildsSourcePackages(request),
    members: members.filter(({ path }) => needed.includes(path)),
  };
}

function logScope({ scope: { members, dev }, manifests, context: { writeLine } }: Job): void {
  const isPartial = members.length > 0 && (manifests.isNarrowed || members.length < manifests.members.length);
  const text = `Only what ${members.map(({ path }) => (path === "" ? "the workspace itself" : path)).join(", ")} needs is installed`;
  if (isPartial) writeLine({ stream: "us", text: dev ? `${text}, with what builds it` : text });
}

/** Builds packages of the source, where packages are already linked, and links the results. */
async function buildSourcePackages(job: Job, folder: string): Promise<void> {
  const { options, request, manifests, fetched, context } = job;
  const members = (request.packages.unbuilt ?? []).flatMap((path) =>
    manifests.members.filter((one) => one.path === path),
  );
  await withSetup(job, async ({ registry, network, node, confinement }) => {
    const setup = { program: npmProgram(options.npm), node, registry, network, confinement };
    await buildMembers({ ...setup, root: fetched.root, base: manifests.base, folder, members }, context);
  });
  await linkOwnPackages(folder, fetched.root);
}

/** Calls `work` with a network and everything else that a command needs. */
async function withSetup(job: Job, work: (setup: Omit<Setup, "folder" | "program">) => Promise<void>): Promise<void> {
  const { options, request, context } = job;
  const settings = await options.tools.registry(context);
  const node = await options.tools.node(request.node, context);
  const { environment, network: rule, confinement } = options;
  const files = (): Promise<NamingFile[]> => namingFiles(job);
  await withInstallNetwork({ settings, environment, rule, files, context }, (network) =>
    work({ node, registry: settings, network, confinement }),
  );
}

type Setup = Omit<InstallStep, "command" | "base" | "cache" | "isScripts">;

/** Fills an empty folder with the installed packages, below `tree`. */
async function install(job: Job, setup: Setup): Promise<void> {
  const { options, manager, request, scope, manifests } = job;
  const { folder } = setup;
  const tree = join(folder, "tree");
  if (!request.scripts && packsSources(manager))
    await refusePackedSources(manifests, new SourceFiles(manifests.root), setup.confinement.fence);
  await writeManifests(manifests, tree);
  const shared = { cache: join(options.downloads, `${manager.name}${manager.version?.split(".")[0] ?? ""}`) };
  // Scripts of one deployment must neither read nor change the downloads of others.
  const own = { cache: join(folder, "cache") };
  const folders = request.scripts && needsCacheForScripts(manager) ? own : shared;
  for (const { cache } of request.scripts ? [folders, own] : [folders]) await mkdir(cache, { recursive: true });
  const step = async (command: ManagerCommand, isScripts = false): Promise<void> => {
    await writeSettings(manifests, tree, !isScripts, request.variables ?? {});
    const at = isScripts ? own : folders;
    await run(job, { ...setup, ...at, command, base: manifests.base, isScripts });
  };
  const check = scope.frozen ? checkCommand(manager, folders) : undefined;
  if (check) {
    await step(check);
    await requireSameLock(job, tree, isSameYarnLock);
  }
  if (readsBuilt(manager)) await leaveOutBuilt(manifests, tree);
  await step(installCommand(manager, scope, folders));
  if (scope.frozen && changesLock(manager)) await requireSameLock(job, tree, isWithinYarnLock);
  if (request.scripts) await step(scriptsCommand(manager, scope, own), true);
  await rm(own.cache, { recursive: true, force: true });
  await writeSettings(manifests, tree, false, {});
  await removeLinks(folder, job.context.writeLine, mentionedPackages(job));
}

/**
 * Returns packages of the source that the needed ones list for development alone, with their target paths: a
 * `tsconfig.json` may extend a file of one.
 */
function mentionedPackages({ manifests: { base, members }, scope }: Job): SourcePackage[] {
  return mentionedMembers(members, scope.members).flatMap((member) => {
    const name = plainNameOf(member);
    return name === undefined ? [] : [[join(base, "node_modules", name), join(base, member.path)]];
  });
}

async function run({ options, manager, request, manifests, fetched, context }: Job, step: InstallStep): Promise<void> {
  const { command, folder, network, program } = step;
  const lines: string[] = [];
  const version = manager.version === undefined ? "" : ` (${manager.version})`;
  context.writeLine({ stream: "us", text: `${command.shown}${version}` });
  const code = await runInstallStep(step, {
    ...context,
    writeLine(line) {
      // Paths of the server are hidden. They are temporary, and a package manager that fails prints its own files.
      const text = line.text
        // npm hides a part of the name.
        .replaceAll(dirname(folder), "packages")
        .replaceAll(options.downloads, "downloads")
        .replaceAll(program.folder, manager.name);
      lines.push(text);
      if (lines.length > MOST_LINES) lines.splice(0, MOST_LINES / 2);
      context.writeLine({ ...line, text });
    },
  });
  if (code === 0) return;
  const problem = readInstallProblem(
    manager.name,
    [...lines, ...network.unreachable],
    await factsOf(fetched, request, manifests),
    code,
  );
  const { message, ...place } = problem;
  throw new StepFailure(message, place);
}

/** The most lines that are kept. The last ones of the output matter. */
const MOST_LINES = 2_000;

async function factsOf(
  { root, folder }: FetchedSource,
  { packages }: InstallOptions,
  { base }: Manifests,
): Promise<InstallFacts> {
  const files = new SourceFiles(root);
  const members = (packages.members ?? []).map((path) => join(base, path));
  const paths = [relative(root, folder), base, ...members].map((path) => join(path, "package.json"));
  const manifests = await Promise.all(
    [...new Set(paths)].map(async (path) => ({
      file: relative(folder, join(root, path)),
      text: (await files.text(join(root, path))) ?? "",
    })),
  );
  const lockfile = packages.lockfile === undefined ? undefined : relative(folder, join(root, packages.lockfile));
  return { manifests, lockfile };
}

/** Reads the files of the source that say where packages come from. */
async function namingFiles({ manifests, fetched }: Job): Promise<NamingFile[]> {
  const { root, texts, settings, lockfile } = manifests;
  const files = new SourceFiles(root);
  const paths = new Set([...settings.keys(), ...texts.keys(), ...(lockfile === undefined ? [] : [lockfile])]);
  return await Promise.all(
    [...paths].map(async (path) => ({
      file: relative(fetched.folder, join(root, path)),
      text: (await files.longText(join(root, path))) ?? "",
    })),
  );
}

/**
 * Throws `StepFailure` if the install has changed the lockfile, which was then out of date. `isSame` compares the
 * lockfile of the tree with the one of the source.
 */
async function requireSameLock(
  { manifests, fetched }: Job,
  tree: string,
  isSame: (text: string, source: string) => boolean,
): Promise<void> {
  const { root, lockfile } = manifests;
  if (lockfile === undefined) return;
  const read = (folder: string): Promise<string> => readFile(join(folder, lockfile), "utf8");
  if (isSame(await read(tree), await read(root))) return;
  throw new StepFailure(`${basename(lockfile)} does not match package.json`, {
    file: relative(fetched.folder, join(root, lockfile)),
    fix: `Run "yarn install" and commit ${basename(lockfile)}.`,
  });
}
