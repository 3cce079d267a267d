import type { ListedThread } from "#lib/client/listed-threads.ts";
import { isObject } from "#lib/protocol/json.ts";
import { questionText } from "#lib/rules/interrupts/question-text.ts";
import { plainMarkdown } from "#lib/rules/text/plain-markdown.ts";
import type { TurnInterrupt } from "#lib/rules/threads/transcript.ts";

const LONGEST = 300;

/** Returns the open interrupts of a thread. */
export function openInterrupts({ interrupts }: Pick<ListedThread, "interrupts">): TurnInterrupt[] {
  return Object.values(interrupts)
    .flat()
    .filter(isObject)
    .map((one, place) => ({ id: typeof one.id === "string" ? one.id : `${place}`, value: one.value }));
}

/** Returns in words for what a thread waits; undefined if it does not wait. */
export function waitsFor(thread: Pick<ListedThread, "interrupts" | "waiting" | "status">): string | undefined {
  if (thread.status === "busy") return undefined;
  const [first, ...more] = openInterrupts(thread);
  if (!first) return thread.waiting ? "To continue after a breakpoint" : undefined;
  const question =
    plainMarkdown(questionText(first.value)).replace(/\s+/g, " ").trim().slice(0, LONGEST) || "An answer";
  return more.length === 0 ? question : `${question} (and ${more.length} more)`;
}
