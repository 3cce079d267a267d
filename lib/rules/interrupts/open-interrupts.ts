import { isObject } from "../../protocol/json.ts";
import type { RunKwargs } from "../../protocol/runs.ts";

/** How LangGraph writes the id of an interrupt: a resume by such keys answers these, any other answers what there is. */
export const INTERRUPT_ID = /^[0-9a-f]{32}$/;

/** Which of the interrupts a run answers, by their ids; `all` when it leaves none of them behind as it was. */
function answeredBy({ command, input, config }: RunKwargs): readonly string[] | "all" {
  const resume = command?.resume ?? null;
  if (resume === null) {
    const goesOn = command === null && input === null && config.configurable?.checkpoint_id === undefined;
    // A run that goes on from where the thread stopped asks again.
    return goesOn ? [] : "all";
  }
  const ids = isObject(resume) ? Object.keys(resume) : [];
  return ids.length > 0 && ids.every((id) => INTERRUPT_ID.test(id)) ? ids : "all";
}

/** What of the interrupts that a thread waits for is still open once a run has begun with its answers, or other input. */
export function openAfter(open: ReadonlySet<string>, kwargs: RunKwargs): Set<string> {
  const answered = answeredBy(kwargs);
  return new Set(answered === "all" ? [] : [...open].filter((id) => !answered.includes(id)));
}

/** The ids of interrupts, as a thread holds them by task. */
export function interruptIds(interrupts: Readonly<Record<string, readonly unknown[]>>): string[] {
  return Object.values(interrupts)
    .flat()
    .flatMap((one) => (isObject(one) && typeof one.id === "string" ? [one.id] : []));
}
