import type { BuildStep } from "../../protocol/build-steps.ts";
import type { RevisionProblem } from "../../protocol/revisions.ts";
import { counted } from "../../rules/text/counted.ts";
import { nextRevisionState } from "../../rules/revisions/state.ts";
import { platformFailure, stepWords } from "../../rules/revisions/words.ts";
import type { RevisionChange, StepContext, StoredRevision, WriteLine } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";
import { isStepFailure } from "../ports/builds.ts";
import { buildLogName } from "./logs.ts";
import type { Platform } from "../ports/ports.ts";
import { isoTime } from "../../protocol/iso-time.ts";

const MINUTE_MS = 60_000;

/** The time limit of each step. */
const DEADLINES_MS: Record<BuildStep, number> = {
  cloning: 5 * MINUTE_MS,
  validating: MINUTE_MS,
  installing: 15 * MINUTE_MS,
  building: 2 * MINUTE_MS,
  starting: 2 * MINUTE_MS,
  checking: MINUTE_MS,
};

/** Returns the key of a build in `ControlPlane.building`. */
export function buildName({ deployment_id, number }: Pick<StoredRevision, "deployment_id" | "number">): string {
  return `${deployment_id}/${number}`;
}

/** The reason for which a build is aborted. */
export type AbortReason = "cancelled" | "stopping";

/** A build under way. */
export interface ActiveBuild {
  readonly platform: Platform;
  readonly control: ControlPlane;
  readonly name: string;
  /** The revision as it is stored. */
  revision: StoredRevision;
  readonly abort: AbortController;
  /** Replaces secrets in a text. */
  redact: (text: string) => string;
}

/** Thrown when the revision does not belong to this build any more, because another process has moved it. */
export class BuildSuperseded extends Error {
  override readonly name = "BuildSuperseded";
}

/** Thrown for a step that failed. */
export class BuildProblem extends Error {
  override readonly name = "BuildProblem";
  readonly problem: RevisionProblem;

  constructor(problem: RevisionProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/**
 * Does one step, within its time limit. The revision is in the step's state meanwhile, and the step's lines go to the
 * build log. The change that `after` returns is stored with the step's end.
 */
export async function doStep<T>(
  build: ActiveBuild,
  step: BuildStep,
  work: (context: StepContext) => Promise<T>,
  after: (result: T) => RevisionChange & { note?: string } = () => ({}),
): Promise<T> {
  await enter(build, step);
  const deadline = new AbortController();
  const late = new DOMException(`${stepWords[step].doing} took too long`, "TimeoutError");
  const timer = setTimeout(() => deadline.abort(late), DEADLINES_MS[step]).unref();
  const signal = AbortSignal.any([build.abort.signal, deadline.signal]);
  const writeLine: WriteLine = (line) => logBuild(build, line, step);
  let result: T;
  try {
    result = await work({ signal, writeLine });
    signal.throwIfAborted();
  } catch (thrown) {
    throw new BuildProblem(problemOf(build, step, thrown, deadline.signal.aborted));
  } finally {
    clearTimeout(timer);
  }
  const { note, ...change } = after(result);
  const ended_at = timeOf(build.platform);
  const steps = build.revision.steps.map((one) =>
    one.step === step && one.ended_at === null ? { ...one, ended_at, ...(note !== undefined && { note }) } : one,
  );
  await move(build, step, { ...change, steps });
  return result;
}

/** Writes a line to the build's log. */
export function logBuild(
  { control, revision, redact }: ActiveBuild,
  line: Parameters<WriteLine>[0],
  step?: BuildStep,
): void {
  const text = redact(line.text);
  control.lines.append(buildLogName(revision), [{ ...line, text, ...(step !== undefined && { step }) }]);
}

async function enter(build: ActiveBuild, step: BuildStep): Promise<void> {
  build.abort.signal.throwIfAborted();
  // A build that is resumed repeats the unfinished step.
  const before = build.revision.steps.filter((one) => one.ended_at !== null && one.step !== step);
  await move(build, step, { steps: [...before, { step, started_at: timeOf(build.platform), ended_at: null }] });
}

async function move(build: ActiveBuild, to: BuildStep, change: RevisionChange): Promise<void> {
  const { control, revision } = build;
  const { state } = revision;
  if (to !== state && to !== nextRevisionState(state, "advance") && to !== nextRevisionState(state, "no_code")) {
    throw new Error(`revision ${revision.number} is ${state}: its next step is not ${to}`);
  }
  if (!(await control.revisions.move(revision, state, to, change))) throw new BuildSuperseded();
  build.revision = { ...revision, ...change, state: to };
  control.emitChange(build.name);
}

function problemOf(build: ActiveBuild, step: BuildStep, thrown: unknown, late: boolean): RevisionProblem {
  if (late && !build.abort.signal.aborted) {
    const minutes = DEADLINES_MS[step] / MINUTE_MS;
    const message = `${stepWords[step].doing} took longer than ${counted(minutes, "minute")}`;
    return { step, message, fix: "Look at the log for what it waited for, then deploy again." };
  }
  if (isStepFailure(thrown)) return { step, message: build.redact(thrown.message), ...thrown.details };
  if (!build.abort.signal.aborted) build.platform.logger.error(`build of ${build.name}: ${step}`, thrown);
  return { step, ...platformFailure };
}

export function timeOf({ clock }: Platform): string {
  return isoTime(clock.now());
}
