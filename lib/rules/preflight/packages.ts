/** Plans how an application's packages are installed, and checks the files that decide it. */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { type Finding, PackageManager, type PackagePlan } from "../../protocol/preflight.ts";
import { errorAt, inFile, noteAt, warningAt } from "./finding.ts";
import {
  beside,
  type Level,
  lockfilesOf,
  type Manifest,
  type PackageHome,
  packageHome,
} from "../packages/package-home.ts";

export interface PackagesRead {
  /** Null for an application without packages of its own. */
  plan: PackagePlan | null;
  home?: PackageHome;
  findings: Finding[];
}

const managers = PackageManager.options;
/** Precedence of lockfiles when nothing names the package manager. Npm's is last, because it is often a leftover. */
const FIRST: readonly PackageManager[] = ["pnpm", "yarn", "bun", "npm"];

/** Plans the installation. Total. */
export function planPackages(levels: readonly Level[]): PackagesRead {
  const home = packageHome(levels);
  if (home === undefined) {
    const message = "There is no package.json: graphs get LangGraph and zod from the server, and no other packages.";
    const fix = "Add a package.json that lists what the code imports.";
    return { plan: null, findings: [noteAt({ file: "package.json" }, message, fix)] };
  }
  if ("problem" in home) {
    return { plan: null, findings: [errorAt(inFile(home.file, home.place), `${home.problem}.`, home.fix)] };
  }
  const base = levels[home.base.level];
  const wanted = wantedManager(home);
  const present = FIRST.find((one) => lockfileOf(base, one) !== undefined);
  const workspace = base?.pnpmWorkspace === undefined ? undefined : "pnpm";
  const manager = wanted.manager ?? present ?? workspace ?? "npm";
  const name = lockfileOf(base, manager);
  const lockfile = name === undefined || base === undefined ? undefined : [base.path, name].filter(Boolean).join("/");
  return {
    home,
    plan: {
      manager,
      ...(wanted.version && { version: wanted.version }),
      ...(lockfile !== undefined && { lockfile }),
      ...(base?.path && { folder: base.path }),
    },
    findings: [...wanted.findings, ...lockfileFindings(home.base, base, manager), ...scriptFindings(home.own)],
  };
}

function lockfileOf(level: Level | undefined, manager: PackageManager): string | undefined {
  return lockfilesOf[manager].find((name) => level?.lockfiles.includes(name));
}

interface ManagerChoice {
  manager?: PackageManager;
  version?: string;
  findings: Finding[];
}

/** Returns the package manager that the nearest package.json names in `packageManager` or `devEngines`. */
function wantedManager({ manifests }: PackageHome): ManagerChoice {
  for (const { value, file, at } of manifests) {
    const written = value.packageManager;
    if (written !== undefined) return readManager(written, inFile(file, at(["packageManager"])));
    const engines = isObject(value.devEngines) ? value.devEngines.packageManager : undefined;
    const manager = isObject(engines) ? managers.find((one) => one === engines.name) : undefined;
    if (manager) return { manager, findings: [] };
  }
  return { findings: [] };
}

function readManager(written: unknown, where: Parameters<typeof warningAt>[0]): ManagerChoice {
  const [, name, version] = (typeof written === "string" && /^([a-z]+)(?:@(.*))?$/.exec(written)) || [];
  const manager = managers.find((one) => one === name);
  if (!manager) {
    const message = `packageManager is ${JSON.stringify(written)}, which is not known here: it is ignored.`;
    return {
      findings: [warningAt(where, message, `Write one of ${managers.join(", ")} with a version, as "npm@11.6.0".`)],
    };
  }
  const exact = version?.replace(/\+[\w.]*$/, "");
  if (exact !== undefined && EXACT.test(exact)) return { manager, version: exact, findings: [] };
  const message = `packageManager names no exact version of ${manager}: a version that is known to work is used.`;
  return { manager, findings: [noteAt(where, message, `Write the whole version, as "${manager}@1.2.3".`)] };
}

/** Matches an exact version, which is appended to the name of a package from the registry. */
const EXACT = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[\w.-]{1,64})?$/;

function lockfileFindings({ file }: Manifest, base: Level | undefined, manager: PackageManager): Finding[] {
  const present = base?.lockfiles ?? [];
  const own = lockfileOf(base, manager);
  const others = present.filter((name) => !lockfilesOf[manager].includes(name));
  if (own === undefined) {
    const fix =
      others.length > 0
        ? `Commit ${lockfilesOf[manager].at(-1)}, or name the package manager of ${others[0]} in packageManager.`
        : "Commit package-lock.json (or pnpm-lock.yaml, yarn.lock, bun.lock) so that builds repeat.";
    const message =
      others.length > 0 ? `There is ${others.join(" and ")}, but no lockfile of ${manager}.` : "No lockfile found.";
    return [warningAt({ file }, message, fix)];
  }
  if (others.length === 0) return [];
  const message = `There are lockfiles of several package managers: ${own} is used, ${others.join(" and ")} is not.`;
  return [warningAt({ file: beside(file, own) }, message, `Remove ${others.join(" and ")}.`)];
}

/** The application's own scripts that a package manager would run. */
const OWN_SCRIPTS = ["preinstall", "install", "postinstall", "prepare"];

function scriptFindings({ value, file, at }: Manifest): Finding[] {
  const scripts: JsonObject = isObject(value.scripts) ? value.scripts : {};
  return OWN_SCRIPTS.filter((name) => typeof scripts[name] === "string").map((name) =>
    noteAt(
      inFile(file, at(["scripts", name])),
      `The application's own script "${name}" is not run.`,
      "Commit what it makes, if the graphs need it.",
    ),
  );
}

/** Returns the ranges that package.json lists under these kinds, by package name. */
export function listed(manifest: JsonObject, ...kinds: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const kind of kinds) {
    const packages = manifest[kind];
    if (!isObject(packages)) continue;
    for (const [name, range] of Object.entries(packages)) if (typeof range === "string") found.set(name, range);
  }
  return found;
}
