/** The packages that own the files of an application's code: each is judged by its own package.json. */
import { dirname, join, relative, sep } from "node:path";
import type { Fetched } from "../../engine/build-ports.ts";
import type { CompileReport } from "../../protocol/compile.ts";
import type { Finding, PackagePlan } from "../../protocol/preflight.ts";
import { noteAt, warningAt } from "../../rules/finding.ts";
import { readLock } from "../../rules/lockfile.ts";
import { beside, type Level } from "../../rules/package-home.ts";
import { importFindings, langgraphFindings, lockFindings, type PackagesAsked } from "../../rules/preflight-imports.ts";
import { noProgram, type PackagesRead, planPackages, programOf } from "../../rules/preflight-packages.ts";
import { BUILD, hasBuildScript, type Member, nameOf, neededMembers } from "../../rules/workspace.ts";
import { programIn } from "./command.ts";
import { readLevels } from "./levels.ts";
import { missingEntry, readMembers } from "./members.ts";
import type { SourceFiles } from "./source-files.ts";
import { SYSTEM_PATH } from "./tools.ts";

type Import = CompileReport["imports"][number];

interface Owner extends Omit<PackagesRead, "plan"> {
  /** Path from the application's folder; empty for that folder and what lies above it. */
  folder: string;
  levels: Level[];
  asked?: PackagesAsked;
}

export interface PackagesJudged {
  plan: PackagePlan | null;
  levels: Level[];
  /** The package.json files that speak for the first graph, nearest first. */
  manifests: NonNullable<PackagesRead["home"]>["manifests"];
  findings: Finding[];
}

/**
 * `entries` and the files of `imports` are paths from the application's folder; `path` holds the folders in which installs
 * find their programs. Throws `StepFailure`.
 */
export async function judgePackages(
  fetched: Fetched,
  files: SourceFiles,
  entries: readonly string[],
  imports: readonly Import[],
  path: string,
): Promise<PackagesJudged> {
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
    if (owner.asked) findings.push(...(await askedFindings(owner.asked, path)));
    findings.push(...importFindings(own, owner.asked), ...apartFindings(first, owner));
  }
  const planned = first?.asked && (await planMembers(fetched, files, owners, imports));
  const manifests = first?.home?.manifests ?? [];
  return {
    plan: planned?.plan ?? null,
    levels: first?.levels ?? [],
    manifests,
    findings: [...unique(findings), ...(planned?.findings ?? [])],
  };
}

async function askedFindings(asked: PackagesAsked, path: string): Promise<Finding[]> {
  return [...(await lookForProgram(asked, path)), ...lockFindings(asked), ...langgraphFindings(asked)];
}

/** A package manager that no registry has can't be fetched like the others. */
async function lookForProgram({ plan, home }: PackagesAsked, path: string): Promise<Finding[]> {
  const program = programOf(plan);
  if (program === undefined || (await programIn(path, program)) !== undefined) return [];
  return [noProgram(plan, home, program, SYSTEM_PATH.replaceAll(":", ", "))];
}

/** Several packages of one workspace say the same of it. */
function unique(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((one) => [JSON.stringify(one), one])).values()];
}

/** Returns what finds the folder of the next package.json upwards, none above the application's folder. */
function nearestIn(folder: string, files: SourceFiles): (file: string) => Promise<string> {
  const known = new Map<string, Promise<string>>();
  const find = async (at: string): Promise<string> => {
    if (at === "." || at.startsWith("..") || at.startsWith("/")) return "";
    if ((await files.kind(join(folder, at, "package.json"))) === "file") return at.split(sep).join("/");
    return await look(dirname(at));
  };
  const look = (at: string): Promise<string> => {
    const found = known.get(at) ?? find(at);
    known.set(at, found);
    return found;
  };
  return (file) => look(dirname(join(file)));
}

async function readOwner({ root, folder }: Fetched, files: SourceFiles, own: string): Promise<Owner> {
  const levels = (await readLevels({ root, folder: join(folder, own) }, files)).map((level) => {
    const from = relative(folder, join(root, level.path)).split(sep).join("/");
    return { ...level, from: from === "" ? "" : `${from}/` };
  });
  const { plan, home, findings } = planPackages(levels);
  if (!plan || !home) return { folder: own, levels, findings, home };
  const text = plan.lockfile === undefined ? undefined : await files.longText(join(root, plan.lockfile));
  const lock = text === undefined ? undefined : readLock(plan.manager, text, home.member);
  return { folder: own, levels, findings, home, asked: { plan, home, lock } };
}

/** One revision has one set of packages. */
function apartFindings(first: Owner | undefined, { asked }: Owner): Finding[] {
  if (!first?.asked || !asked || first.asked.plan.folder === asked.plan.folder) return [];
  const [one, other] = [first.asked.home.own.file, asked.home.own.file];
  const message = `${one} and ${other} are installed apart, and a deployment has the packages of the first alone.`;
  return [warningAt({ file: other }, message, "Make both members of one workspace, or deploy them apart.")];
}

/** Which packages of the workspace are needed: the owners, what their code imports, and what these ask for. */
async function planMembers(
  { root }: Fetched,
  files: SourceFiles,
  owners: readonly Owner[],
  imports: readonly Import[],
): Promise<{ plan: PackagePlan; findings: Finding[] } | undefined> {
  const [asked] = owners.flatMap((owner) => owner.asked ?? []);
  if (!asked) return undefined;
  const { plan, home } = asked;
  const { manager, folder = "" } = plan;
  const yaml = manager === "pnpm" ? await files.text(join(root, folder, "pnpm-workspace.yaml")) : undefined;
  const members = await readMembers(root, folder, yaml, files);
  if (members.length === 1) return { plan, findings: [] };
  const homes = owners.flatMap((owner) => owner.asked ?? []).filter((one) => one.plan.folder === plan.folder);
  const ofOwners = new Set(homes.map((one) => one.home.member));
  const own = members.filter(({ path }) => ofOwners.has(path));
  const names = new Set(imports.map((one) => one.package));
  const imported = members.filter((member) => names.has(nameOf(member) ?? ""));
  const needed = neededMembers(members, [...own, ...imported]);
  const unbuilt: string[] = [];
  const findings: Finding[] = [];
  for (const member of needed) {
    const entry = own.includes(member) ? undefined : await missingEntry(join(root, folder, member.path), member, files);
    if (entry === undefined) continue;
    if (hasBuildScript(member.manifest)) unbuilt.push(member.path);
    if (imported.includes(member)) findings.push(unbuiltFinding(beside(home.base.file, member.path), member, entry));
  }
  const paths = needed.map(({ path }) => path);
  return { plan: { ...plan, members: paths, ...(unbuilt.length > 0 && { unbuilt }) }, findings };
}

function unbuiltFinding(folder: string, member: Member, entry: string): Finding {
  const where = { file: `${folder}/package.json` };
  const message = `${nameOf(member)} means its file ${entry}, which is not there`;
  if (!hasBuildScript(member.manifest))
    return warningAt(where, `${message}, and it has no script "${BUILD}".`, `Commit ${folder}/${entry}.`);
  const fix = `Let the deployment run install scripts (install_scripts), or commit ${folder}/${entry}.`;
  return noteAt(where, `${message}: its script "${BUILD}" makes it, which runs only where install scripts do.`, fix);
}
