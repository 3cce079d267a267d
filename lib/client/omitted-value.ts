import { isObject } from "../protocol/json.ts";
import { VALUES } from "../rules/threads/bounded-state.ts";
import type { ThreadApi } from "./threads.ts";

/**
 * Reads a part of a state's values that was left out for its size. `path`: the one in `omitted`, such as `values.rows`.
 * Throws a `RequestFailure`.
 */
export async function readOmitted(
  api: Pick<ThreadApi, "state">,
  thread: string,
  checkpoint: string | undefined,
  path: string,
): Promise<unknown> {
  const { values } = await api.state(thread, checkpoint, [path]);
  return path === "values" || !isObject(values) ? values : values[path.slice(VALUES.length)];
}
