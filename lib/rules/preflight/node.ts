/** Chooses the version of Node.js that serves an application. */
import type { AppConfig } from "../../protocol/config.ts";
import { isObject } from "../../protocol/json.ts";
import type { Finding } from "../../protocol/preflight.ts";
import { errorAt, inFile, warningAt } from "./finding.ts";
import type { JsonText } from "../text/json-text.ts";
import { fileAt, type Level, type Manifest } from "../packages/package-home.ts";
import { allowsMajor, parseRange } from "../packages/version-range.ts";

/** The supported major versions. */
export const nodeMajors = [20, 22, 24];

const HAVE = `Node.js ${nodeMajors.slice(0, -1).join(", ")} and ${nodeMajors.at(-1)}`;

/** Names of long-term support releases, as .nvmrc may have them. */
const LTS: Record<string, number> = { "lts/iron": 20, "lts/jod": 22, "lts/krypton": 24 };

export interface NodeInputs {
  config?: { file: string; text: JsonText; config: AppConfig };
  manifests: readonly Manifest[];
  levels: readonly Level[];
  /** Major version of the server's own Node.js, which needs no download. */
  own: number;
}

/** Chooses by the configuration first, then the file of version managers, then `engines` of package.json. */
export function planNode(inputs: NodeInputs): { node: string; findings: Finding[] } {
  const engines = enginesOf(inputs);
  const written = byConfig(inputs) ?? byVersionFile(inputs, engines);
  const { major = engines.best ?? inputs.own, findings = [], where } = written ?? {};
  const refused = where !== undefined && major !== undefined && !engines.allows(major);
  const doubt = refused
    ? [
        warningAt(
          where,
          `Node.js ${major} is requested, but engines.node of package.json is "${engines.text}".`,
          "Make both name the same version.",
        ),
      ]
    : [];
  return { node: String(major), findings: [...engines.findings, ...findings, ...doubt] };
}

interface NodeChoice {
  major?: number;
  where?: Parameters<typeof errorAt>[0];
  findings?: Finding[];
}

function byConfig({ config: read, own }: NodeInputs): NodeChoice | undefined {
  const text = read?.config.node_version;
  if (read === undefined || text === undefined) return undefined;
  const where = inFile(read.file, read.text.at(["node_version"]));
  const major = supported(text);
  if (major !== undefined) return { major, where };
  return {
    major: own,
    findings: [errorAt(where, `node_version is "${text}": this server has ${HAVE}.`, 'Write "22".')],
  };
}

function byVersionFile({ levels, own }: NodeInputs, engines: Engines): NodeChoice | undefined {
  for (const [index, level] of levels.entries()) {
    const { nodeVersion } = level;
    if (nodeVersion === undefined) continue;
    const where = { file: fileAt(index, nodeVersion.name, level), line: 1 };
    const text = nodeVersion.text.trim().split(/\s/)[0] ?? "";
    if (/^(?:node|stable|lts\/\*|\*|)$/.test(text)) return undefined;
    const major = LTS[text.toLowerCase()] ?? supported(text);
    if (major !== undefined) return { major, where };
    const best = engines.best ?? own;
    const message = `Node.js ${text.slice(0, 40)} is requested, and this server has ${HAVE}: it is served by ${best}.`;
    return { findings: [warningAt(where, message, `Write ${best}.`)] };
  }
  return undefined;
}

function supported(text: string): number | undefined {
  const major = Number(/^v?(\d{1,3})(?:\.[\dx*.]*)?$/.exec(text.trim())?.[1]);
  return nodeMajors.includes(major) ? major : undefined;
}

interface Engines {
  text?: string;
  allows(major: number): boolean;
  /** The best allowed version: the server's own, or the newest. */
  best?: number;
  findings: Finding[];
}

function enginesOf({ manifests, own }: NodeInputs): Engines {
  const [manifest] = manifests;
  const text = isObject(manifest?.value.engines) ? manifest.value.engines.node : undefined;
  if (manifest === undefined || typeof text !== "string") return { allows: () => true, findings: [] };
  const where = inFile(manifest.file, manifest.at(["engines", "node"]));
  const range = parseRange(text);
  if (range === undefined) {
    const message = `engines.node is "${text}", which is no range of versions: it is ignored.`;
    return { text, allows: () => true, findings: [warningAt(where, message, 'Write ">=22".')] };
  }
  const allowed = nodeMajors.filter((major) => allowsMajor(range, major));
  if (allowed.length === 0) {
    const message = `engines.node is "${text}", and this server has ${HAVE}: it is served by ${own}.`;
    return { text, allows: () => true, findings: [warningAt(where, message, 'Write ">=22".')] };
  }
  const best = allowed.includes(own) ? own : Math.max(...allowed);
  return { text, allows: (major) => allowed.includes(major), best, findings: [] };
}
