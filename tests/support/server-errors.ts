/** Finds errors among the lines that a server writes to its error output. */

/**
 * Matches a line with the server's label, or with none: an error of Node.js or Next. Applications have labels of their
 * own.
 */
const OWN = /^(\[graphlib\] |(?!\[[\w-]+\] ))\S/;
/** Matches an unhandled error, which the worker process writes with its application's label. */
const NOBODYS = /^\[[\w-]+\] (unhandled|uncaught)/i;
/** Matches further lines of the error above: its stack, its members and its cause. */
const CONTINUED = /^(\[[\w-]+\] )?([\s}\]]|$)/;

/** Warnings go to the same output. The keys of tests are short so that they can be read. */
const WARNINGS = [/^\[graphlib\] GRAPHLIB_API_KEY has less than 32 characters/];

/** Returns the errors in `text` that match no pattern, each with the lines that belong to it. */
export function unexpectedErrors(text: string, expected: readonly RegExp[]): string[] {
  const found: string[] = [];
  let isError = false;
  for (const line of text.split("\n")) {
    if (!CONTINUED.test(line)) {
      isError = OWN.test(line) || NOBODYS.test(line);
      if (isError) found.push(line);
    } else if (isError && line !== "") found.push(`${found.pop() ?? ""}\n${line}`);
  }
  return found.filter((error) => ![...WARNINGS, ...expected].some((pattern) => pattern.test(error)));
}
