import type { StudioApi } from "./api.ts";

/** The most states that a file holds, newest first. */
const MOST_STATES = 1_000;

/** Returns a thread with its states as JSON text. Throws a `RequestFailure`. */
export async function downloadThread(api: StudioApi, thread: string): Promise<string> {
  const [details, history] = await Promise.all([api.wholeThread(thread), api.wholeHistory(thread, MOST_STATES)]);
  return JSON.stringify({ thread: details, history }, null, 2);
}
