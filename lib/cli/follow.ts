import * as z from "zod";
import { LogLine, Revision, type StepTimes } from "../protocol/revisions.ts";
import { createProgressFold, toneOf } from "../rules/revisions/build-lines.ts";
import { placeWords } from "../rules/revisions/words.ts";
import { CommandFailure } from "./failure.ts";
import { plain } from "../rules/text/terminal-text.ts";
import { type Screen, styled } from "./screen.ts";
import { dataOf, type Server } from "./server.ts";

const WIDTH = "installing".length + 2;

/** Shows a build until it is over. `failure` says why it did not go live. */
export async function followBuild(
  server: Server,
  screen: Screen,
  { deployment, number }: Revision,
): Promise<{ revision: Revision; failure?: CommandFailure }> {
  const log = `/deployments/${deployment}/revisions/${number}/log`;
  const ended = new Set<string>();
  let status = "";
  const shown = showLines(screen, () => status);
  let seen = -1;
  const show = (lines: readonly LogLine[]): void => {
    for (const line of lines) if (line.id > seen) shown.add(line);
    seen = Math.max(seen, lines.at(-1)?.id ?? seen);
  };
  const feed = `/deployments/events?deployment=${deployment}&revision=${number}&log=build&after=-1`;
  for await (const event of server.listen(feed)) {
    if (event.event === "lines") show(dataOf(z.array(LogLine), event));
    if (event.event !== "revision") continue;
    const revision = dataOf(Revision, event);
    const done = revision.steps.filter(({ step, ended_at }) => ended_at !== null && !ended.has(step));
    // All lines of a step are shown before its end.
    if (done.length > 0) show(await server.call("GET", `${log}?after=${seen}&limit=5000`, z.array(LogLine)));
    if (done.length > 0) shown.end();
    for (const step of done) {
      ended.add(step.step);
      showStep(screen, revision, step);
    }
    const over = revision.live_at !== null || revision.ended_at !== null;
    status = over ? "" : styled("dim", `… ${revision.state}`);
    if (over) shown.end();
    else screen.status(status);
    if (over) return { revision, ...(revision.live_at === null && { failure: failureOf(revision) }) };
  }
  throw new CommandFailure(`The server stopped sending events of revision ${number} of ${deployment}`);
}

function showStep(screen: Screen, { problem }: Revision, { step, started_at, ended_at, note = "" }: StepTimes): void {
  const took = ended_at === null ? "" : secondsBetween(started_at, ended_at);
  const mark = problem?.step === step ? styled("red", "✗") : styled("green", "✓");
  screen.print(`${mark} ${step.padEnd(WIDTH)}${[took, plain(note)].filter(Boolean).join("  ")}`);
}

/**
 * Shows lines as they arrive. Progress goes into the status line, which shows `idle` otherwise, and is printed once when
 * it is done.
 */
export function showLines(screen: Screen, idle = () => ""): { add(line: LogLine): void; end(): void } {
  let fold = createProgressFold();
  const status = (): void => {
    const tick = fold.pending().at(-1);
    screen.status(tick ? styled("dim", `… ${plain(tick.text)}`) : idle());
  };
  return {
    add(line) {
      for (const one of fold.add(line)) showLine(screen, one);
      status();
    },
    end() {
      for (const one of fold.pending()) showLine(screen, one);
      fold = createProgressFold();
      status();
    },
  };
}

/** Shows a line. A line of a build has its step in front. */
function showLine(screen: Screen, line: LogLine): void {
  const { step, text } = line;
  const before = step === undefined ? "" : styled("dim", `  ${step.padEnd(WIDTH)}`);
  const isBad = step !== undefined && toneOf(line) === "error";
  screen.printForeign(isBad ? styled("red", plain(text)) : text, before);
}

function failureOf({ deployment, number, state, problem }: Revision): CommandFailure {
  const which = `Revision ${number} of ${deployment}`;
  if (state === "skipped") return new CommandFailure(`${which} was skipped: a newer one came before its turn`);
  if (state === "cancelled") return new CommandFailure(`${which} was cancelled`);
  if (!problem) return new CommandFailure(`${which} is ${state}`);
  const [first = ""] = problem.message.split("\n");
  const location = placeWords(problem);
  const where = location === undefined ? "" : ` (${location})`;
  return new CommandFailure(plain(`${which} failed in ${problem.step}: ${first}${where}`), { fix: problem.fix });
}

/** Returns the time between two timestamps, such as `3.8 s`. */
export function secondsBetween(from: string, to: string): string {
  return `${((Date.parse(to) - Date.parse(from)) / 1000).toFixed(1)} s`;
}
