import { isObject } from "../../protocol/json.ts";
import type { RunKwargs } from "../../protocol/runs.ts";
import type { Thread } from "../../protocol/threads.ts";

/** LangGraph's form of interrupt ids. A resume keyed by ids answers these interrupts; any other answers all of them. */
export const INTERRUPT_ID = /^[0-9a-f]{32}$/;

/** Returns the ids of the interrupts that a run answers; `all` when none stays open. */
function answeredBy({ command, input, config }: RunKwargs): readonly string[] | "all" {
  const resume = command?.resume ?? null;
  if (resume === null) {
    const goesOn = command === null && input === null && config.configurable?.checkpoint_id === undefined;
    // A run without input continues at the interrupts, which are then raised again.
    return goesOn ? [] : "all";
  }
  const ids = answeredIds(resume);
  return ids.length > 0 ? ids : "all";
}

/** Returns the interrupts of a thread that stay open once a run has begun with answers or other input. */
export function openAfter(open: ReadonlySet<string>, kwargs: RunKwargs): Set<string> {
  const answered = answeredBy(kwargs);
  return new Set(answered === "all" ? [] : [...open].filter((id) => !answered.includes(id)));
}

/** Returns the ids of a thread's interrupts, which are keyed by task. */
export function interruptIds(interrupts: Readonly<Record<string, readonly unknown[]>>): string[] {
  return Object.values(interrupts)
    .flat()
    .flatMap((one) => (isObject(one) && typeof one.id === "string" ? [one.id] : []));
}

export interface InterruptAnswer {
  readonly id: string;
  readonly value: unknown;
}

/**
 * Returns the `resume` of a command that gives these answers. It names the interrupts, so that a late answer never
 * answers a later question. Interrupts of older LangGraph have no ids to name.
 */
export function resumeByIds(answers: readonly InterruptAnswer[]): unknown {
  const [first] = answers;
  if (answers.length === 1 && first && !INTERRUPT_ID.test(first.id)) return first.value;
  return Object.fromEntries(answers.map(({ id, value }) => [id, value]));
}

/** Returns the ids of the interrupts that a `resume` names; empty if it names none. */
export function answeredIds(resume: unknown): readonly string[] {
  const ids = isObject(resume) ? Object.keys(resume) : [];
  return ids.every((id) => INTERRUPT_ID.test(id)) ? ids : [];
}

/** Returns whether a thread does not wait, or no longer, for the answers that a `resume` names. */
export function isPassed({ status, interrupts }: Pick<Thread, "status" | "interrupts">, resume: unknown): boolean {
  const waiting = interruptIds(interrupts);
  return status === "busy" || answeredIds(resume).some((id) => !waiting.includes(id));
}

/** Returns whether a run with these `kwargs` answers interrupts. */
export function answersInterrupts(kwargs: unknown): boolean {
  return isObject(kwargs) && isObject(kwargs.command) && (kwargs.command.resume ?? null) !== null;
}
