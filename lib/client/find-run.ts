import { isObject } from "../protocol/json.ts";
import { isEqual } from "../rules/is-equal.ts";
import { forkOf, questionIn } from "./conversation.ts";
import type { RunRequest } from "./follow-run.ts";
import type { ThreadApi } from "./threads.ts";

/**
 * Finds the run that a request of a chat has started, although its response was lost. Undefined if the request has not
 * arrived. `seen`: the newest run that was known before. Throws a `RequestFailure`.
 */
export async function findRun(
  api: ThreadApi,
  { thread, seen, request }: { thread: string; seen: string | undefined; request: RunRequest },
): Promise<string | undefined> {
  const newest = await api.findNewestRun(thread);
  if (!newest || newest.run_id === seen || forkOf(newest) !== request.checkpoint_id) return undefined;
  const isFound = request.command
    ? isEqual(resumeIn(newest.kwargs), request.command.resume)
    : questionIn(newest.kwargs)?.id === questionIn(request)?.id;
  return isFound ? newest.run_id : undefined;
}

const resumeIn = (kwargs: unknown): unknown =>
  isObject(kwargs) && isObject(kwargs.command) ? kwargs.command.resume : undefined;
