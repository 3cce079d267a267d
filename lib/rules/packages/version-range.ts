/** Version ranges as package.json has them. A prerelease counts as the release itself. */
import { compareVersions, parseVersion, type Version } from "../../protocol/versions.ts";

/** Versions from the first up to, but not including, the second. */
type Span = readonly [from: Version, to: Version];

const ENDLESS: Version = [Infinity, 0, 0];
const ALL: Span = [[0, 0, 0], ENDLESS];

/** Parses a range; undefined for tags, URLs and paths. */
export function parseRange(text: string): Span[] | undefined {
  const spans: Span[] = [];
  for (const part of text.split("||")) {
    const span = parsePart(part.trim());
    if (span === undefined) return undefined;
    if (compareVersions(...span) < 0) spans.push(span);
  }
  return spans;
}

export function allows(range: readonly Span[], version: Version): boolean {
  return range.some(([from, to]) => compareVersions(from, version) <= 0 && compareVersions(version, to) < 0);
}

/** Returns whether any version of a major is in the range. */
export function allowsMajor(range: readonly Span[], major: number): boolean {
  return range.some(
    (span) =>
      compareVersions(
        ...both(span, [
          [major, 0, 0],
          [major + 1, 0, 0],
        ]),
      ) < 0,
  );
}

/** Returns whether all versions in the range are older than a version. */
export function isBelow(range: readonly Span[], version: Version): boolean {
  return range.every(([, to]) => compareVersions(to, version) <= 0);
}

function parsePart(text: string): Span | undefined {
  const hyphen = /^(\S+)\s+-\s+(\S+)$/.exec(text);
  const words = hyphen ? [`>=${hyphen[1]}`, `<=${hyphen[2]}`] : text.replace(/([<>=~^])\s+/g, "$1").split(/\s+/);
  let span = ALL;
  for (const word of words) {
    const narrower = parseComparator(word);
    if (narrower === undefined) return undefined;
    span = both(span, narrower);
  }
  return span;
}

function parseComparator(text: string): Span | undefined {
  const [, sign = "", rest = ""] = /^(\^|~>?|[<>]=?|=)?(.*)$/.exec(text) ?? [];
  const numbers = rest.replace(/(?:\.[xX*]|^[xX*])(?=\.|$).*$/, "");
  if (numbers === "") return /^(?:[xX*].*)?$/.test(rest) ? ALL : undefined;
  const from = parseVersion(numbers);
  if (from === undefined) return undefined;
  const given = numbers.replace(/[-+].*$/, "").split(".").length;
  const past = given === 1 ? next(from, 0) : given === 2 ? next(from, 1) : next(from, 2);
  if (sign === "^") return [from, next(from, from[0] > 0 || given === 1 ? 0 : from[1] > 0 || given === 2 ? 1 : 2)];
  if (sign.startsWith("~")) return [from, next(from, given === 1 ? 0 : 1)];
  if (sign === ">=") return [from, ENDLESS];
  if (sign === ">") return [past, ENDLESS];
  if (sign === "<") return [ALL[0], from];
  if (sign === "<=") return [ALL[0], past];
  return [from, past];
}

/** Returns the next version that differs in one of its numbers: 0 for the major. */
function next([major, minor, patch]: Version, number: 0 | 1 | 2): Version {
  if (number === 0) return [major + 1, 0, 0];
  return number === 1 ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

function both([a, b]: Span, [c, d]: Span): Span {
  return [compareVersions(a, c) > 0 ? a : c, compareVersions(b, d) < 0 ? b : d];
}
