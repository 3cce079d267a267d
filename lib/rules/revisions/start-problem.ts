/** Why code did not start, for whoever wrote it: from how its process ended, and what it said. */
import type { RevisionProblem } from "../../protocol/revisions.ts";
import type { RunError } from "../../protocol/stream.ts";

type Said = Pick<RevisionProblem, "message" | "fix">;

const AGAIN = "then deploy again.";
/** What a deployment's memory is called among its settings. */
export const MEMORY_SETTING = "memory_mb";
const LONGEST = 300;

/** `said`: the last lines that its process wrote to its error output. Total: whatever they hold. */
export function startProblem(reason: string, said: readonly string[]): Said {
  if (reason.includes(MEMORY_SETTING)) {
    const fix = `Keep less in memory while it loads, or raise ${MEMORY_SETTING} in the deployment's settings, ${AGAIN}`;
    return { message: `The code does not start: ${reason}`, fix };
  }
  if (/did not load within/.test(reason)) {
    const fix = `Look for a loop without an end, or for a wait outside of the graph's nodes, ${AGAIN}`;
    return { message: `The code does not start: ${reason}`, fix };
  }
  const ended = /^(?:exit code|signal) /.test(reason) ? `its process ended with ${reason} while it loaded` : reason;
  const words = lastWords(said);
  const fix = `Mend it, ${AGAIN} The server log has all that it said.`;
  return { message: `The code does not start: ${ended}${words === undefined ? "" : `. It said: ${words}`}`, fix };
}

/** Where there is an exception, its message; else the last line that says anything. */
function lastWords(said: readonly string[]): string | undefined {
  const lines = said.map((line) => line.replace(COLOUR, "").trimEnd()).filter((line) => !NOISE.test(line));
  const thrown = lines.findLast((line) => line.startsWith(UNCAUGHT));
  const words = (thrown?.slice(UNCAUGHT.length) ?? lines.at(-1))?.trim();
  return words !== undefined && words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}

/** As the worker logs it. */
const UNCAUGHT = "Uncaught exception in the application:";
/** Frames of a stack, what is left of an object that was printed, and what Node.js adds. */
const NOISE = /^(?:\s.*|[{}[\](),;^~]*|Node\.js v\d.*|\(Use `node .*|\(node:\d+\).*)$/;
// oxlint-disable-next-line no-control-regex
const COLOUR = /\u001B\[[\d;]*[A-Za-z]/g;

/** As the worker tells imports that fail between two installed packages: `a@1.0.0 imports "b" from …`. */
const BETWEEN_PACKAGES = /^@?[\w./~-]+@[\w.+-]+ imports /;

/** Of a graph whose module threw, or is none. */
export function loadProblem(graph: string, { error, message }: RunError): Said & Pick<RevisionProblem, "file"> {
  const [, missing, importer] = /^Cannot find package '([^']+)' imported from (\S+)$/.exec(message) ?? [];
  const fix = BETWEEN_PACKAGES.test(message)
    ? `Ask for versions of them that fit together in package.json, renew the lockfile, ${AGAIN}`
    : missing === undefined
      ? `Mend the graph's code, ${AGAIN}`
      : `List "${missing}" in package.json, ${AGAIN}`;
  const file = importer?.startsWith("node_modules/") === true ? undefined : importer;
  return { message: `Graph "${graph}" does not load: ${error}: ${message}`, fix, ...(file !== undefined && { file }) };
}
