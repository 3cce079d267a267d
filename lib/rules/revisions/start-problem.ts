/** Explains to the author why code did not start, from the exit of its process and its output. */
import type { RevisionProblem } from "../../protocol/revisions.ts";
import type { RunError } from "../../protocol/stream.ts";

type StartProblem = Pick<RevisionProblem, "message" | "fix">;

const AGAIN = "then deploy again.";
/** The name of the memory setting of deployments. */
export const MEMORY_SETTING = "memory_mb";
const LONGEST = 300;

/** Returns the problem and its fix. `output`: the last lines of the process's error output. Total. */
export function startProblem(reason: string, output: readonly string[]): StartProblem {
  if (reason.includes(MEMORY_SETTING)) {
    const fix = `Keep less in memory while it loads, or raise ${MEMORY_SETTING} in the deployment's settings, ${AGAIN}`;
    return { message: `The code does not start: ${reason}`, fix };
  }
  if (/did not load within/.test(reason)) {
    const fix = `Look for a loop without an end, or for a wait outside of the graph's nodes, ${AGAIN}`;
    return { message: `The code does not start: ${reason}`, fix };
  }
  const ended = /^(?:exit code|signal) /.test(reason) ? `its process ended with ${reason} while it loaded` : reason;
  const words = lastWords(output);
  const fix = `Fix it, ${AGAIN} The server log has all of its output.`;
  return { message: `The code does not start: ${ended}${words === undefined ? "" : `. It printed: ${words}`}`, fix };
}

/** Returns the message of the exception, or else the last line that is not noise. */
function lastWords(output: readonly string[]): string | undefined {
  const lines = output.map((line) => line.replace(COLOUR, "").trimEnd()).filter((line) => !NOISE.test(line));
  const thrown = lines.findLast((line) => line.startsWith(UNCAUGHT));
  const words = (thrown?.slice(UNCAUGHT.length) ?? lines.at(-1))?.trim();
  return words !== undefined && words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}

/** The prefix with which the worker logs an exception. */
const UNCAUGHT = "Uncaught exception in the application:";
/** Matches stack frames, remains of a printed object, and lines that Node.js adds. */
const NOISE = /^(?:\s.*|[{}[\](),;^~]*|Node\.js v\d.*|\(Use `node .*|\(node:\d+\).*)$/;
// oxlint-disable-next-line no-control-regex
const COLOUR = /\u001B\[[\d;]*[A-Za-z]/g;

/** Matches the worker's message of a failed import between two installed packages: `a@1.0.0 imports "b" from …`. */
const BETWEEN_PACKAGES = /^@?[\w./~-]+@[\w.+-]+ imports /;

/** Returns the problem of a graph whose module threw, or does not export a graph. */
export function loadProblem(graph: string, { error, message }: RunError): StartProblem & Pick<RevisionProblem, "file"> {
  const [, missing, importer] = /^Cannot find package '([^']+)' imported from (\S+)$/.exec(message) ?? [];
  const fix = BETWEEN_PACKAGES.test(message)
    ? `Use compatible versions of them in package.json, update the lockfile, ${AGAIN}`
    : missing === undefined
      ? `Fix the graph's code, ${AGAIN}`
      : `List "${missing}" in package.json, ${AGAIN}`;
  const file = importer?.startsWith("node_modules/") === true ? undefined : importer;
  return { message: `Graph "${graph}" does not load: ${error}: ${message}`, fix, ...(file !== undefined && { file }) };
}
