/** Finds the package of each file of an application's code, and checks the file by that package.json. */
import { dirname, join, relative, sep } from "node:path";
import type { FetchedSource } from "../../engine/ports/builds.ts";
import type { CompileReport } from "../../protocol/compile.ts";
import type { Finding, PackagePlan } from "../../protocol/preflight.ts";
import { noteAt, warningAt } from "../../rules/preflight/finding.ts";
import { readLock } from "../../rules/packages/lockfile.ts";
import { beside, type Level } from "../../rules/packages/package-home.ts";
import { importFindings, langgraphFindings, lockFindings, type PackageInputs } from "../../rules/preflight/imports.ts";
import { type PackagesRead, planPackages } from "../../rules/preflight/packages.ts";
import {
  BUILD,
  hasBuildScript,
  type WorkspaceMember,
  nameOf,
  neededMembers,
  servesPackage,
} from "../../rules/packages/workspace.ts";
import { readLevels } from "./levels.ts";
import { missingEntry, readMembers } from "./members.ts";
import type { SourceFiles } from "./source-files.ts";

type Import = CompileReport["imports"][number];

interface Owner extends Omit<PackagesRead, "plan"> {
  /** Path from the application's folder; empty for that folder and its parents. */
  folder: string;
  levels: Level[];
  packages?: PackageInputs;
  /** Packages of the workspace that it belongs to. */
  members: readonly WorkspaceMember[];
}

export interface CheckedPackages {
  plan: PackagePlan | null;
  levels: Level[];
  /** The package.json files that apply to the first graph, nearest first. */
  manifests: NonNullable<PackagesRead["home"]>["manifests"];
  findings: Finding[];
}

/**
 * Checks the packages that the code needs, and plans their install. `entries` and the files of `imports` are paths from
 * the application's folder. Throws `StepFailure`.
 */
export async function checkPackages(
  fetched: FetchedSource,
  files: SourceFiles,
  entries: readonly string[],
  imports: readonly Import[],
): Promise<CheckedPackages> {
  const nearest = nearestIn(fetched.folder, files);
  const folders = new Set(await Promise.all(entries.map(nearest)));
  if (folders.size === 0) folders.add("");
  const owners = await Promise.all([...folders].map((folder) => readOwner(fetched, files, folder)));
  const [first] = owners;
  const findings: Finding[] = [];
  for (const owner of owners) {
    const own: Import[] = [];
    for (const one of imports) if ((await nearest(one.file)) === owner.folder) own.push(one);
    findings.push(...owner.findings);
    if (owner.packages)
      findings.push(...lockFindings(owner.packages, namesOf(owner.members)), ...langgraphFindings(owner.packages));
    findings.push(...importFindings(own, owner.packages), ...separateInstallFindings(first, owner));
  }
  const planned = first?.packages && (await planMembers(fetched, files, owners, imports));
  const manifests = first?.home?.manifests ?? [];
  return {
    plan: planned?.plan ?? null,
    levels: first?.levels ?? [],
    manifests,
    findings: [...unique(findings), ...(planned?.findings ?? [])],
  };
}

/** Several packages of one workspace have the same findings about it. */
function unique(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((one) => [JSON.stringify(one), one])).values()];
}

/** Returns a function that finds the folder of a file's nearest package.json, not above the application's folder. */
function nearestIn(folder: string, files: SourceFiles): (file: string) => Promise<string> {
  const cache = new Map<string, Promise<string>>();
  const find = async (at: string): Promise<string> => {
    if (at === "." || at.startsWith("..") || at.startsWith("/")) return "";
    if ((await files.kind(join(folder, at, "package.json"))) === "file") return at.split(sep).join("/");
    return await cachedFind(dirname(at));
  };
  const cachedFind = (at: string): Promise<string> => {
    const found = cache.get(at) ?? find(at);
    cache.set(at, found);
    return found;
  };
  return (file) => cachedFind(dirname(join(file)));
}

async function readOwner({ root, folder }: FetchedSource, files: SourceFiles, own: string): Promise<Owner> {
  const levels = (await readLevels({ root, folder: join(folder, own) }, files)).map((level) => {
    const from = relative(folder, join(root, level.path)).split(sep).join("/");
    return { ...level, from: from === "" ? "" : `${from}/` };
  });
  const { plan, home, findings } = planPackages(levels);
  if (!plan || !home) return { folder: own, levels, findings, home, members: [] };
  const text = plan.lockfile === undefined ? undefined : await files.longText(join(root, plan.lockfile));
  const lock = text === undefined ? undefined : readLock(plan.manager, text, home.member);
  const yaml = plan.manager === "pnpm" ? levels[home.base.level]?.pnpmWorkspace : undefined;
  const members = await readMembers(root, plan.folder ?? "", yaml, files);
  return { folder: own, levels, findings, home, members, packages: { plan, home, lock } };
}

/** Warns of packages that are installed separately, because a revision has a single set of packages. */
function separateInstallFindings(first: Owner | undefined, { packages }: Owner): Finding[] {
  if (!first?.packages || !packages || first.packages.plan.folder === packages.plan.folder) return [];
  const [one, other] = [first.packages.home.own.file, packages.home.own.file];
  const message = `${one} and ${other} are installed separately, but a deployment has only the packages of the first.`;
  return [warningAt({ file: other }, message, "Make both members of one workspace, or deploy them separately.")];
}

/** Plans which packages of the workspace are needed: the owners, what their code imports, and what these depend on. */
async function planMembers(
  { root }: FetchedSource,
  files: SourceFiles,
  owners: readonly Owner[],
  imports: readonly Import[],
): Promise<{ plan: PackagePlan; findings: Finding[] } | undefined> {
  const first = owners.find(({ packages }) => packages);
  if (!first?.packages) return undefined;
  const { plan, home } = first.packages;
  const { folder = "" } = plan;
  const { members } = first;
  if (members.length === 1) return { plan, findings: [] };
  const homes = owners.flatMap((owner) => owner.packages ?? []).filter((one) => one.plan.folder === plan.folder);
  const ofOwners = new Set(homes.map((one) => one.home.member));
  const own = members.filter(({ path }) => ofOwners.has(path));
  const names = new Set(imports.map((one) => one.package));
  const imported = members.filter((member) => names.has(nameOf(member) ?? ""));
  const wanted = [...own, ...imported];
  const rest = members.filter((member) => member.path === "" && !wanted.includes(member));
  wanted.push(...rest.filter((base) => suppliesMissing(base, neededMembers(members, wanted), names)));
  const missing = new Map<WorkspaceMember, string>();
  for (const member of members) {
    const isUsed = !own.includes(member) && (member.path !== "" || imported.includes(member));
    const entry = isUsed ? await missingEntry(join(root, folder, member.path), member, files) : undefined;
    if (entry !== undefined) missing.set(member, entry);
  }
  const isUnbuilt = (member: WorkspaceMember): boolean => missing.has(member) && hasBuildScript(member.manifest);
  const needed = neededMembers(members, wanted);
  const all = neededMembers(members, wanted, isUnbuilt);
  const unbuilt = pathsOf(all.filter(isUnbuilt));
  const builders = pathsOf(all.filter((member) => !needed.includes(member)));
  const findings = needed.flatMap((member) => {
    const entry = imported.includes(member) ? missing.get(member) : undefined;
    return entry === undefined ? [] : unbuiltFinding(beside(home.base.file, member.path), member, entry);
  });
  const toBuild = { ...(unbuilt.length > 0 && { unbuilt }), ...(builders.length > 0 && { builders }) };
  return { plan: { ...plan, members: pathsOf(needed), ...toBuild }, findings };
}

/** Returns whether code imports a package that no needed member lists, but the workspace's root package does. */
function suppliesMissing(
  base: WorkspaceMember,
  needed: readonly WorkspaceMember[],
  imported: ReadonlySet<string>,
): boolean {
  return [...imported].some((name) => servesPackage(base, name) && !needed.some((one) => servesPackage(one, name)));
}

function namesOf(members: readonly WorkspaceMember[]): Set<string> {
  return new Set(members.flatMap((member) => nameOf(member) ?? []));
}

function pathsOf(members: readonly WorkspaceMember[]): string[] {
  return members.map(({ path }) => path);
}

function unbuiltFinding(folder: string, member: WorkspaceMember, entry: string): Finding {
  const where = { file: `${folder}/package.json` };
  const message = `${nameOf(member)} names ${entry} as its entry, which does not exist`;
  if (!hasBuildScript(member.manifest))
    return warningAt(where, `${message}, and it has no script "${BUILD}".`, `Commit ${folder}/${entry}.`);
  const fix = `Allow install scripts in the deployment's settings (install_scripts), or commit ${folder}/${entry}.`;
  return noteAt(where, `${message}: its script "${BUILD}" makes it, which runs only where install scripts do.`, fix);
}
