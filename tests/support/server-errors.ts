/** Errors among the lines that a server writes to its error output. */

/** Begins with the label of the server, or with none: an error of Node.js or Next. Applications have labels of their own. */
const OWN = /^(\[graphlib\] |(?!\[[\w-]+\] ))\S/;
/** Written with an application's label by the worker process that holds it. */
const NOBODYS = /^\[[\w-]+\] (unhandled|uncaught)/i;
/** Further lines of the error above them: its stack, its members and its cause. */
const CONTINUED = /^(\[[\w-]+\] )?([\s}\]]|$)/;

/** Warnings go where errors go. This one is right: the keys of tests are to be read. */
const WARNINGS = [/^\[graphlib\] GRAPHLIB_API_KEY has less than 32 characters/];

/** The errors in `text` that match no pattern, each with the lines that belong to it. */
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
