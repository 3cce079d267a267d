/** Answers to the interrupts of a conversation. */
import { isPassed, resumeByIds } from "../rules/interrupts/open-interrupts.ts";
import { beginRun } from "../rules/threads/transcript.ts";
import { type ChatSession, follow, open, REQUEST } from "./chat-session.ts";

/**
 * Resumes the last run with the answer to an interrupt. The answer counts for this question only, not for another one that
 * the thread asks by now. Returns whether the server took it.
 */
export async function answer(session: ChatSession, interrupt: string, value: unknown): Promise<boolean> {
  const { store, settings } = session;
  const { exchanges, running, checkpoint } = store.state();
  const last = exchanges.at(-1);
  if (!last || running) return false;
  session.opening = undefined;
  const before = exchanges.slice(0, -1);
  const turn = beginRun(last.turn);
  const resume = resumeByIds([{ id: interrupt, value }]);
  store.set({ exchanges: [...before, { turn }], passed: undefined });
  if (checkpoint === undefined && (await isAnsweredElsewhere(session, resume))) return await showLate(session);
  const request = {
    ...REQUEST,
    assistant_id: settings.assistant,
    command: { resume },
    ...(checkpoint !== undefined && { checkpoint_id: checkpoint }),
  };
  const end = await follow(session, before, turn, { client: "chat", request });
  if (end.how === "refused" && (end.status === 409 || end.status === 422)) return await showLate(session, checkpoint);
  if (end.how !== "refused" && end.how !== "lost") return true;
  // The server did not take the answer, so it can be given again.
  store.set({ exchanges: [...before, { ...last, end }] });
  return false;
}

async function isAnsweredElsewhere({ api, settings }: ChatSession, resume: unknown): Promise<boolean> {
  try {
    return isPassed(await api.get(settings.thread), resume);
  } catch {
    // The request that sends the answer tells what is wrong.
    return false;
  }
}

/** Shows what the thread does now, and that an answer of this page came too late. */
async function showLate(session: ChatSession, checkpoint?: string): Promise<false> {
  session.store.set({ passed: "late" });
  await open(session, checkpoint);
  return false;
}
