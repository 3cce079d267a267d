/** Checks the packages that an application lists, locks and imports. */
import type { CompileReport } from "../../protocol/compile.ts";
import type { Finding, PackageManager, PackagePlan } from "../../protocol/preflight.ts";
import { compareVersions, parseVersion, type Version } from "../../protocol/versions.ts";
import { errorAt, inFile, noteAt, warningAt } from "./finding.ts";
import type { Lock } from "../packages/lockfile.ts";
import { nearName } from "../text/near-name.ts";
import { beside, type PackageHome } from "../packages/package-home.ts";
import { listed } from "./packages.ts";
import { isBelow, parseRange } from "../packages/version-range.ts";

const LANGGRAPH = "@langchain/langgraph";
/**
 * The oldest tested version that streams, interrupts and resumes: 0.1 does not load, 0.2.20 has no `Command` to resume
 * with, and 0.2.31 does not stream interrupts.
 */
const LANGGRAPH_SINCE: Version = [0, 2, 50];
/** The first version that has everything clients use. */
const LANGGRAPH_WHOLE: Version = [0, 2, 74];
/** Packages that come with any copy of LangGraph. */
const COMPANIONS = [LANGGRAPH, "@langchain/core", "@langchain/langgraph-checkpoint"];
/** Packages that the server provides to an application without packages of its own. */
const LENT = new Set([...COMPANIONS, "zod"]);

/** Kinds of dependencies that are installed when the application runs. */
const SERVED = ["dependencies", "optionalDependencies", "peerDependencies"];
const LOCKED = ["dependencies", "optionalDependencies", "devDependencies"];

export interface PackageInputs {
  plan: PackagePlan;
  home: PackageHome;
  /** Undefined when there is no readable lockfile. */
  lock?: Lock;
}

const INSTALL: Record<PackageManager, string> = {
  npm: "npm install",
  pnpm: "pnpm install",
  yarn: "yarn install",
  bun: "bun install",
};
const ADD: Record<PackageManager, string> = { npm: "npm install", pnpm: "pnpm add", yarn: "yarn add", bun: "bun add" };

/**
 * Reports where the lockfile does not match package.json, which a frozen install refuses. `members` are names of the
 * workspace's packages, which not every lockfile lists.
 */
export function lockFindings({ plan, home, lock }: PackageInputs, members: ReadonlySet<string> = new Set()): Finding[] {
  if (!lock || plan.lockfile === undefined) return [];
  const { own, base } = home;
  const name = beside(base.file, plan.lockfile.split("/").at(-1) ?? "");
  const replaced = new Set(["overrides", "resolutions"].flatMap((kind) => [...listed(base.value, kind).keys()]));
  const missing = [...listed(own.value, ...LOCKED)].filter(
    ([one, range]) => !replaced.has(one) && !members.has(one) && !isLocal(range) && lock.has(one, range) === false,
  );
  const [first] = missing;
  if (first === undefined) return [];
  const [one, range] = first;
  const rest = missing.length > 1 ? ` (and ${missing.length - 1} more)` : "";
  const kind = LOCKED.find((key) => listed(own.value, key).has(one)) ?? "dependencies";
  const message = `${name} does not match ${own.file}: it has no ${one}@${range}${rest}.`;
  return [
    errorAt(inFile(own.file, own.at([kind, one])), message, `Run "${INSTALL[plan.manager]}" and commit ${name}.`),
  ];
}

/** Returns whether the package need not be in the lockfile under this range, for example one of the source itself. */
function isLocal(range: string): boolean {
  return /^(?:workspace|file|link|portal|catalog|patch|npm|git[+:]|https?:|github:)/.test(range) || range.includes("/");
}

/** Reports when LangGraph is not listed or too old. */
export function langgraphFindings({ home, lock, plan }: PackageInputs): Finding[] {
  const manifest = home.manifests.find(({ value }) => listed(value, ...SERVED).has(LANGGRAPH));
  if (!manifest) {
    if (lock?.installs(LANGGRAPH) === true) return [];
    const message = `${home.own.file} does not list ${LANGGRAPH}: graphs get the server's own copy, which another package's may differ from.`;
    return [
      warningAt(
        { file: home.own.file },
        message,
        `Run "${ADD[plan.manager]} ${LANGGRAPH}" and commit what it changes.`,
      ),
    ];
  }
  const kind = SERVED.find((one) => listed(manifest.value, one).has(LANGGRAPH)) ?? "dependencies";
  const range = listed(manifest.value, kind).get(LANGGRAPH) ?? "";
  const locked = parseVersion(lock?.version(LANGGRAPH, range) ?? "");
  const spans = parseRange(range);
  const isBefore = (version: Version): boolean =>
    locked ? compareVersions(locked, version) < 0 : spans !== undefined && isBelow(spans, version);
  if (!isBefore(LANGGRAPH_WHOLE)) return [];
  const where = inFile(manifest.file, manifest.at([kind, LANGGRAPH]));
  const found = `${LANGGRAPH} ${locked ? locked.join(".") : range}`;
  const fix = `Run "${ADD[plan.manager]} ${LANGGRAPH}@latest @langchain/core@latest" and commit what it changes.`;
  if (isBefore(LANGGRAPH_SINCE)) {
    const since = LANGGRAPH_SINCE.join(".");
    return [errorAt(where, `${found} is too old: ${since} is the oldest that is served.`, fix)];
  }
  const message = `${found} is old: it streams, interrupts and resumes, but schemas say less and stream modes may be missing.`;
  return [noteAt(where, message, fix)];
}

type ImportedPackage = CompileReport["imports"][number];

/** Reports imported packages that will not be installed, each at its first import. */
export function importFindings(imports: readonly ImportedPackage[], packages: PackageInputs | undefined): Finding[] {
  const seen = new Set<string>();
  const findings: Finding[] = [];
  for (const one of imports) {
    // Other packages of the source have their own dependencies.
    if (seen.has(one.package) || one.file.startsWith("../")) continue;
    const finding = packages ? importFinding(one, packages) : bareFinding(one);
    seen.add(one.package);
    if (finding) findings.push(finding);
  }
  return findings;
}

function bareFinding({ package: name, optional, file, line, column }: ImportedPackage): Finding | undefined {
  if (LENT.has(name)) return undefined;
  const message = `${file} imports "${name}", but there is no package.json.`;
  const fix = "Add a package.json that lists it under dependencies.";
  return (optional ? warningAt : errorAt)({ file, line, column }, message, fix);
}

function importFinding(
  { package: name, optional, ...where }: ImportedPackage,
  packages: PackageInputs,
): Finding | undefined {
  const { home, lock, plan } = packages;
  const { manifests, own } = home;
  const has = (...kinds: string[]) => manifests.some(({ value }) => listed(value, ...kinds).has(name));
  // A copy of LangGraph is always there; `langgraphFindings` reports which one.
  if (has(...SERVED) || own.value.name === name || COMPANIONS.includes(name)) return undefined;
  const installs = lock?.installs(name);
  const isSure = installs === false && !optional;
  const report = isSure ? errorAt : warningAt;
  const subject = `${where.file} imports "${name}", which ${own.file} lists`;
  const unsure = installs === true ? ": it is there only because another package needs it" : "";
  if (has("devDependencies")) {
    return report(
      where,
      `${subject} only under devDependencies, which are not installed${unsure}.`,
      `Move "${name}" to dependencies.`,
    );
  }
  const near = nearName(name, listed(own.value, ...SERVED).keys());
  const add = `Run "${ADD[plan.manager]} ${name}" and commit what it changes`;
  const fix = near === undefined ? `${add}.` : `${add}, or write "${near}" if that is meant.`;
  return report(where, `${where.file} imports "${name}", which ${own.file} does not list${unsure}.`, fix);
}
