/** Installs an application's packages once for all revisions with the same lockfile, and links them into the revision. */
import { mkdir, readFile, rm } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import {
  type Fetched,
  type Install,
  type InstallOptions,
  StepFailure,
  type StepContext,
} from "../../engine/build-ports.ts";
import { type InstallFacts, readInstallProblem } from "../../rules/install-problem.ts";
import type { NamingFile } from "../../rules/install-traffic.ts";
import { isSameYarnLock } from "../../rules/lockfile.ts";
import {
  defaultVersion,
  checkCommand,
  installCommand,
  leavesOut,
  type Manager,
  needsCacheForScripts,
  needsFewerMembers,
  packageOf,
  packsSources,
  readsBuilt,
  type Scope,
  scriptsCommand,
  type Told,
} from "../../rules/package-managers.ts";
import type { Member } from "../../rules/workspace.ts";
import type { BuildConfinement } from "./confinement.ts";
import { withInstallNetwork } from "./install-network.ts";
import { type InstallStep, runInstallStep } from "./install-step.ts";
import { linkOwnPackages, linkPackages, settleLinks } from "./links.ts";
import { keyOf, leaveOutBuilt, type Manifests, readManifests, writeManifests, writeSettings } from "./manifests.ts";
import { buildMembers } from "./own-scripts.ts";
import type { PackageCache } from "./package-cache.ts";
import { refusePacked } from "./packed-sources.ts";
import type { NetworkRule } from "./reach.ts";
import type { NpmOptions } from "./registry.ts";
import { SourceFiles } from "./source-files.ts";
import type { Tools } from "./tools.ts";

export interface InstallerOptions extends NpmOptions {
  /** Where downloads are kept. */
  downloads: string;
  cache: PackageCache;
  tools: Tools;
  network: NetworkRule;
  confinement: BuildConfinement;
}

/** Changes with what is done to the packages: what was installed before is not what would be. */
const SCHEME = 2;

export function createInstall(options: InstallerOptions): Install {
  return async (fetched, asked, context) => {
    const files = new SourceFiles(fetched.root);
    const { lockfile, folder: base = "", members: only } = asked.packages;
    const manager = await managerOf(asked, fetched.root, base, files);
    const about = { root: fetched.root, base, manager: manager.name, lockfile };
    const manifests = await readManifests(needsFewerMembers(manager) ? { ...about, only } : about, files);
    const scope = scopeOf(asked, manifests, leavesOut(manager));
    const what = { ...scope, members: scope.members.map(({ path }) => path) };
    const how = [SCHEME, manager, asked.node, asked.scripts, what, process.platform, process.arch];
    // Without a lockfile nobody knows what would be installed today.
    const key = await keyOf(
      manifests,
      lockfile === undefined ? [...how, Date.now(), process.hrtime.bigint().toString()] : how,
    );
    if (lockfile === undefined) {
      const text = "No lockfile: the newest packages that fit are installed, other ones the next time perhaps";
      context.tell({ stream: "us", text });
    }
    const job: Job = { options, manager, asked, scope, manifests, fetched, context };
    tellScope(job);
    const { made } = await options.cache.use(
      key,
      fetched.root,
      context.signal,
      async (folder) => await installAlone(job, folder),
      async (folder) => {
        await linkPackages(folder, fetched.root);
        if (scope.dev) await buildOwn(job, folder);
      },
    );
    return { reused: !made, key };
  };
}

interface Job {
  options: InstallerOptions;
  manager: Manager;
  asked: InstallOptions;
  scope: Scope;
  manifests: Manifests;
  fetched: Fetched;
  context: StepContext;
}

async function managerOf(
  { packages: { manager: name, version, lockfile } }: InstallOptions,
  root: string,
  base: string,
  files: SourceFiles,
): Promise<Manager> {
  if (version !== undefined) return { name, version };
  const lock = lockfile === undefined ? undefined : await files.longText(join(root, lockfile));
  const hasYarnrc = (await files.kind(join(root, base, ".yarnrc.yml"))) === "file";
  return { name, version: defaultVersion(name, lock, hasYarnrc) };
}

/** Packages of the source are built by scripts of their own only where those of other packages run, too. */
function scopeOf(
  { packages: { lockfile, members: needed, unbuilt = [] }, scripts }: InstallOptions,
  all: Manifests,
  canLeaveOut: boolean,
): Scope {
  const dev = scripts && unbuilt.length > 0;
  // The package.json of the workspace itself often lists the tools that build its packages.
  const isNeeded = ({ path }: Member): boolean => needed?.includes(path) === true || (dev && path === "");
  return {
    frozen: lockfile !== undefined,
    dev,
    members: needed === undefined || !canLeaveOut ? [] : all.members.filter(isNeeded),
  };
}

function tellScope({ scope: { members, dev }, manifests, context: { tell } }: Job): void {
  const few = members.length > 0 && members.length < manifests.members.length;
  const text = `Only what ${members.map(({ path }) => (path === "" ? "the workspace itself" : path)).join(", ")} needs is installed`;
  if (few) tell({ stream: "us", text: dev ? `${text}, with what builds it` : text });
}

/** Builds packages of the source where the packages are linked already, and links what was made. */
async function buildOwn(job: Job, folder: string): Promise<void> {
  const { options, asked, manifests, fetched, context } = job;
  const members = (asked.packages.unbuilt ?? []).flatMap((path) =>
    manifests.members.filter((one) => one.path === path),
  );
  await withMeans(job, async ({ registry, network, node, confinement }) => {
    const means = { program: [process.execPath, options.npm], node, registry, network, confinement };
    await buildMembers({ ...means, root: fetched.root, base: manifests.base, folder, members }, context);
  });
  await linkOwnPackages(folder, fetched.root);
}

async function installAlone(job: Job, folder: string): Promise<void> {
  const program = await programOf(job);
  await withMeans(job, (means) => install(job, { ...means, folder, program }));
}

/** Gives `work` a network of its own and what else every command needs. */
async function withMeans(job: Job, work: (means: Omit<Means, "folder" | "program">) => Promise<void>): Promise<void> {
  const { options, asked, context } = job;
  const settings = await options.tools.registry(context);
  const node = await options.tools.node(asked.node, context);
  const { environment, network: rule, confinement } = options;
  const files = (): Promise<NamingFile[]> => namingFiles(job);
  await withInstallNetwork({ settings, environment, rule, files, context }, (network) =>
    work({ node, registry: settings, network, confinement }),
  );
}

type Means = Omit<InstallStep, "told" | "base" | "cache" | "isScripts">;

/** Fills an empty folder: what was installed lies below `tree`. */
async function install(job: Job, means: Means): Promise<void> {
  const { options, manager, asked, scope, manifests } = job;
  const { folder } = means;
  const tree = join(folder, "tree");
  if (!asked.scripts && packsSources(manager))
    await refusePacked(manifests, new SourceFiles(manifests.root), means.confinement.fence);
  await writeManifests(manifests, tree);
  const shared = { cache: join(options.downloads, `${manager.name}${manager.version?.split(".")[0] ?? ""}`) };
  // Scripts of one deployment must neither see nor change what others download.
  const own = { cache: join(folder, "cache") };
  const folders = asked.scripts && needsCacheForScripts(manager) ? own : shared;
  for (const { cache } of asked.scripts ? [folders, own] : [folders]) await mkdir(cache, { recursive: true });
  const step = async (told: Told, isScripts = false): Promise<void> => {
    await writeSettings(manifests, tree, !isScripts, asked.variables ?? {});
    const at = isScripts ? own : folders;
    await run(job, { ...means, ...at, told, base: manifests.base, isScripts });
  };
  const check = scope.frozen ? checkCommand(manager, folders) : undefined;
  if (check) {
    await step(check);
    await requireSameLock(job, tree);
  }
  if (readsBuilt(manager)) await leaveOutBuilt(manifests, tree);
  await step(installCommand(manager, scope, folders));
  if (asked.scripts) await step(scriptsCommand(manager, scope, own), true);
  await rm(own.cache, { recursive: true, force: true });
  await writeSettings(manifests, tree, false, {});
  await settleLinks(folder, job.context.tell);
}

/** The command that starts the package manager. */
async function programOf({ options, manager, context }: Job): Promise<string[]> {
  if (manager.version === undefined) return manager.name === "npm" ? [process.execPath, options.npm] : [manager.name];
  const found = packageOf(manager);
  if (!found) return [manager.name];
  return [process.execPath, join(await options.tools.package(found.name, manager.version, context), found.main)];
}

async function run({ options, manager, asked, manifests, fetched, context }: Job, step: InstallStep): Promise<void> {
  const { told, folder, network, program } = step;
  const lines: string[] = [];
  const version = manager.version === undefined ? "" : ` (${manager.version})`;
  context.tell({ stream: "us", text: `${told.shown}${version}` });
  // A package manager that is a package prints where it lies when it fails: the folder above `bin/yarn.js`.
  const [, main] = program;
  const own = main === undefined ? program[0] : dirname(dirname(main));
  // Where that lies on this server is nobody's business, and gone soon.
  const hide = (text: string): string =>
    text
      .replaceAll(network.password, "***")
      .replaceAll(`${join(folder, "tree")}/`, "")
      .replaceAll(folder, ".")
      // npm hides a part of the name.
      .replaceAll(dirname(folder), "packages")
      .replaceAll(options.downloads, "downloads")
      .replaceAll(own ?? manager.name, manager.name);
  const code = await runInstallStep(step, {
    ...context,
    tell(line) {
      const text = hide(line.text);
      lines.push(text);
      if (lines.length > LINES) lines.splice(0, LINES / 2);
      context.tell({ ...line, text });
    },
  });
  if (code === 0) return;
  const problem = readInstallProblem(
    manager.name,
    [...lines, ...network.said],
    await factsOf(fetched, asked, manifests),
    code,
  );
  const { message, ...place } = problem;
  throw new StepFailure(message, place);
}

/** Of what a package manager says, the end matters. */
const LINES = 2_000;

async function factsOf(
  { root, folder }: Fetched,
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

/** What of the source says where packages come from. */
async function namingFiles({ manifests, fetched }: Job): Promise<NamingFile[]> {
  const { root, texts, settings, lockfile } = manifests;
  const files = new SourceFiles(root);
  const paths = [...settings.keys(), ...texts.keys(), ...(lockfile === undefined ? [] : [lockfile])];
  return await Promise.all(
    paths.map(async (path) => ({
      file: relative(fetched.folder, join(root, path)),
      text: (await files.longText(join(root, path))) ?? "",
    })),
  );
}

/** What was not up to date has been changed. */
async function requireSameLock({ manifests, fetched }: Job, tree: string): Promise<void> {
  const { root, lockfile } = manifests;
  if (lockfile === undefined) return;
  const read = (folder: string): Promise<string> => readFile(join(folder, lockfile), "utf8");
  if (isSameYarnLock(await read(root), await read(tree))) return;
  throw new StepFailure(`${basename(lockfile)} does not match package.json`, {
    file: relative(fetched.folder, join(root, lockfile)),
    fix: `Run "yarn install" and commit ${basename(lockfile)}.`,
  });
}
