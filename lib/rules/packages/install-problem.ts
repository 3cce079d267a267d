/** Reads from the output of a failed package manager what is wrong, where, and what to do. */
import { isObject } from "../../protocol/json.ts";
import type { PackageManager } from "../../protocol/preflight.ts";
import type { RevisionProblem } from "../../protocol/revisions.ts";
import { readJsonText, type TextPosition } from "../text/json-text.ts";

export interface InstallFacts {
  /** The package.json files that may list the package, the application's own first. Paths from its folder. */
  manifests: readonly { file: string; text: string }[];
  lockfile?: string;
}

export type InstallProblem = Omit<RevisionProblem, "step">;

interface ProblemDetails {
  /** The name of the package, and the range of its versions. */
  name: string;
  range: string;
  /** The other detail of the line. */
  rest: string;
  manager: PackageManager;
  /** The line of a package.json that lists the package. */
  at: { file?: string; line?: number };
  lockfile: string;
}

interface Sign {
  /** Patterns of the line that shows the failure. `more` match other lines. Groups are `name`, `range` and `rest`. */
  line: RegExp[];
  more?: RegExp[];
  /** Set when another line has to match as well. */
  also?: RegExp;
  describe(found: ProblemDetails): InstallProblem;
}

const COMMAND: Record<PackageManager, string> = {
  npm: "npm install",
  pnpm: "pnpm install",
  yarn: "yarn install",
  bun: "bun install",
};
const NAME = String.raw`(?<name>(?:@[\w.~-]+(?:/|%2[fF]))?[\w.~-]+)`;

const full: Sign = {
  line: [/\bENOSPC\b|no space left on device/i],
  describe: () => ({
    message: "The server's disk is full",
    fix: "Free some space on the server, or delete deployments that are not needed, and deploy again.",
  }),
};

const outdated: Sign = {
  line: [
    new RegExp(`Missing: ${NAME}@(?<range>\\S+) from lock file`),
    new RegExp(`Invalid: lock file's ${NAME}@(?<range>\\S+)`),
    /ERR_PNPM_(?:OUTDATED_LOCKFILE|LOCKFILE_\w+|BROKEN_LOCKFILE)/,
    /Your lockfile needs to be updated/,
    /YN0028/,
    /lockfile had changes, but lockfile is frozen/,
    /can only install with an existing package-lock\.json|can only install packages when your package\.json and/,
  ],
  more: [new RegExp(`dependencies were added: ${NAME}@(?<range>[^\\s,]+)`)],
  describe: ({ lockfile, name, range, manager }) => ({
    message: `${lockfile} does not match package.json${name === "" ? "" : `: it has no ${name}@${range}`}`,
    file: lockfile,
    fix: `Run "${COMMAND[manager]}" and commit ${lockfile}.`,
  }),
};

const missing: Sign = {
  line: [
    new RegExp(`requested resource '${NAME}@[^']*' could not be found`),
    new RegExp(`'${NAME}@[^']*' is not in (?:this|the npm) registry`),
    new RegExp(`ERR_PNPM_FETCH_404\\s+GET \\S+/${NAME}: Not Found`),
    new RegExp(`Couldn't find package "${NAME}"`),
    new RegExp(`YN0035:.*?[\\s│]${NAME}@npm:[^\\s:]+: Package not found`),
    new RegExp(`GET \\S+?/${NAME} - 404`),
    new RegExp(`Not Found - GET \\S+?/${NAME}(?:\\s|$)`),
    new RegExp(`"https?://[^"\\s]+/${NAME}: Not found"`),
  ],
  describe: ({ name, at }) => ({
    message: `There is no package "${name}"`,
    ...at,
    fix: "Correct its name. If it is private, give the server's npm access to its registry (npm login, or a token in its .npmrc).",
  }),
};

/** The registry lists the version but has no archive of it: `GET https://host/<name>/-/<name>-<version>.tgz` is 404. */
const archive: Sign = {
  line: [
    new RegExp(`Not Found - GET \\S+?/${NAME}/-/(?<rest>[^/\\s]+)\\.tgz`),
    new RegExp(`/${NAME}/-/(?<rest>[^/\\s]+)\\.tgz\\b.*\\b404\\b`),
    new RegExp(`Request URL: \\S+?/${NAME}/-/(?<rest>[^/\\s]+)\\.tgz`),
  ],
  also: /\bE?404\b/,
  describe: ({ name, rest, at }) => ({
    message: `The registry has no archive of "${name}" ${rest.replace(`${name.replace(/^.*\//, "")}-`, "")}`,
    ...at,
    fix: "Use another version, or update the lockfile. If it is private, give the server's npm access to its registry.",
  }),
};

const version: Sign = {
  line: [
    new RegExp(`No matching version found for ${NAME}@(?<range>.+?)(?: while fetching.*|\\.?\\s*)$`),
    new RegExp(`Couldn't find any versions for "${NAME}" that matches "(?<range>[^"]+)"`),
    new RegExp(`YN0082:.*?[\\s│]${NAME}@npm:(?<range>.+?): No candidates found`),
    new RegExp(`No version matching "(?<range>[^"]+)" found for specifier "${NAME}"`),
  ],
  describe: ({ name, range, at }) => ({
    message: `There is no version ${range} of "${name}"`,
    ...at,
    fix: `Ask for a version that there is: "npm view ${name} versions" lists them.`,
  }),
};

const conflict: Sign = {
  line: [/\bERESOLVE\b/, /ERR_PNPM_PEER_DEP_ISSUES/],
  more: [
    /Found: (?<rest>\S+)/,
    new RegExp(`peer \\S+?@"(?<range>[^"]+)" from ${NAME}@\\S+`),
    new RegExp(`[─┬] ${NAME} \\d\\S*$`),
    /unmet peer (?<rest>\S+?)@"?(?<range>[^"]+?)"?: found/,
  ],
  describe: ({ name, range, rest, at }) => ({
    message:
      name === "" || rest === ""
        ? "Packages want different versions of one package"
        : `"${name}" needs ${rest.replace(/(.)@.*$/, "$1")} ${range}, and another version of it is required`,
    ...at,
    fix: "Use compatible versions, or set legacy-peer-deps=true in .npmrc.",
  }),
};

const integrity: Sign = {
  line: [
    new RegExp(`Integrity check failed for "${NAME}"`),
    new RegExp(`YN0018:.*?[\\s│]${NAME}@npm:\\S+: The remote archive doesn't match`),
    new RegExp(`ERR_PNPM_TARBALL_INTEGRITY\\s+Got unexpected checksum for "\\S+?//[^/]+/${NAME}/-/`),
    /\bEINTEGRITY\b|Integrity check(?:sum)? failed/,
  ],
  describe: ({ name, lockfile }) => ({
    message: `What the registry sent ${name === "" ? "" : `for "${name}" `}is not what ${lockfile} has`,
    file: lockfile,
    fix: `Find out why first: it may have been tampered with. If it was published again, renew its entry in ${lockfile}.`,
  }),
};

const refused: Sign = {
  line: [
    /\b(?:E401|E403|ENEEDAUTH|ERR_PNPM_FETCH_40[13]|YN0041|YN0033)\b/,
    /\b40[13] (?:Unauthorized|Forbidden)\b|\b(?:Unauthorized|Forbidden) - 40[13]\b/,
  ],
  describe: () => ({
    message: "The registry refuses this server",
    fix: "Give the server's npm access to the registry (npm login, or a token in its .npmrc).",
  }),
};

const network: Sign = {
  line: [
    /\b(?<rest>E?SOCKETTIMEDOUT|ERR_SOCKET_TIMEOUT|E(?:TIMEDOUT|CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH)|ENOTFOUND|EAI_AGAIN)\b/,
    /\b(?<rest>(?:DEPTH_ZERO_)?SELF_SIGNED_CERT\w*|UNABLE_TO_(?:GET_ISSUER|VERIFY)\w+|CERT_HAS_EXPIRED)\b/,
    /trouble with your network connection|network request failed|ConnectionRefused/,
  ],
  describe: ({ rest }) => ({
    message: `The registry can't be reached${rest === "" ? "" : ` (${rest})`}`,
    fix: "Check the server's network, and npm's settings on it: registry, proxy, cafile. Then deploy again.",
  }),
};

const script: Sign = {
  line: [
    /^npm error command failed/,
    new RegExp(`node_modules/${NAME}: Command failed`),
    new RegExp(`node_modules/${NAME} (?:pre|post)?install: Failed`),
    new RegExp(`YN0009:.*?[\\s│]${NAME}@`),
    /\bELIFECYCLE\b/,
  ],
  more: [new RegExp(`^npm error path \\S*/node_modules/${NAME}$`)],
  describe: ({ name }) => ({
    message: `The install script of ${name === "" ? "a package" : `"${name}"`} failed`,
    fix: "Look at its lines above. Native code needs a compiler on the server: prefer a version that is prebuilt.",
  }),
};

const transport: Sign = {
  line: [/transport '(?<rest>\w+)' not allowed/],
  describe: ({ rest }) => ({
    message: `Packages are not fetched over ${rest} here`,
    fix: "Write git+https:// where package.json asks for a repository, or the version of a registry.",
  }),
};

const engine: Sign = {
  line: [/\bEBADENGINE\b|ERR_PNPM_UNSUPPORTED_ENGINE|The engine "node" is incompatible/],
  describe: () => ({
    message: "A package does not work with this version of Node.js",
    fix: 'Ask for another one by "node_version" in graphlib.json.',
  }),
};

/** The first sign that matches counts. Network errors come last: the output of any other failure may have them. */
const signs = [
  full,
  outdated,
  archive,
  missing,
  version,
  conflict,
  integrity,
  refused,
  transport,
  script,
  engine,
  network,
];

const MOST_LINES = 1_000;
const LONGEST_LINE = 500;

/** Finds the problem in the output. Total. `code`: the exit code of the package manager. */
export function readInstallProblem(
  manager: PackageManager,
  output: readonly string[],
  facts: InstallFacts,
  code: number,
): InstallProblem {
  const lines = output.slice(-MOST_LINES).map(clean);
  const lockfile = facts.lockfile ?? "The lockfile";
  for (const { line, more = [], also, describe } of signs) {
    const found = firstOf(line, lines);
    if (!found || (also && !firstOf([also], lines))) continue;
    const matches = [found, ...more.map((pattern) => firstOf([pattern], lines))];
    const group = (key: string): string => matches.find((match) => match?.groups?.[key])?.groups?.[key] ?? "";
    const [name, range, rest] = [group("name"), group("range"), group("rest")];
    const bare = name.replace(/%2f/i, "/");
    return describe({ name: bare, range, rest, manager, lockfile, at: locationOf(facts, bare) });
  }
  const reason = lines.find((one) => /\berror\b/i.test(one))?.replace(/^npm error |^.*?\berror:?\s+/i, "") ?? "";
  return {
    message: `${manager} failed${reason.trim() === "" ? ` with code ${code}` : `: ${reason.trim()}`}`,
    fix: "Fix the errors in its lines above, and deploy again.",
  };
}

function clean(line: string): string {
  return line
    .slice(0, LONGEST_LINE)
    .replace(COLOUR, "")
    .replace(/^npm (?:error|ERR!)(?: (?:404|notarget))?[ \t]*/, "npm error ");
}

// oxlint-disable-next-line no-control-regex
const COLOUR = /\u001B\[[\d;]*[A-Za-z]/g;

/** Returns the match of the first pattern that matches any line. */
function firstOf(patterns: readonly RegExp[], lines: readonly string[]): RegExpExecArray | undefined {
  for (const pattern of patterns) {
    for (const line of lines) {
      const found = pattern.exec(line);
      if (found) return found;
    }
  }
  return undefined;
}

/** Returns the place where a package.json lists a package. */
function locationOf({ manifests }: InstallFacts, name: string): { file?: string; line?: number } {
  for (const { file, text } of manifests) {
    const position = memberPosition(text, name);
    if (position) return { file, line: position.line };
  }
  return {};
}

function memberPosition(text: string, name: string): TextPosition | undefined {
  const read = readJsonText(text);
  if (!("value" in read) || !isObject(read.value)) return undefined;
  for (const kind of ["dependencies", "optionalDependencies", "peerDependencies", "devDependencies"]) {
    const packages = read.value[kind];
    if (isObject(packages) && Object.hasOwn(packages, name)) return read.at([kind, name]);
  }
  return undefined;
}
