import { isUuid, type Sha1, uuidV5 } from "../uuid.ts";

export interface Context {
  /** As the client wrote it. */
  readonly contextId: string;
  readonly graph: string;
  /** Who the application says is calling. */
  readonly user?: string;
}

/** UUID under which the threads of contexts are derived. */
const NAMESPACE = "c1b7a6d2-6c0a-5a5e-9d44-0a3a3f0c5f51";

/**
 * The threads that a context may mean, best first. A UUID means the thread of that id; where that holds another graph's
 * state, and for every other name, there is a thread of this context for each graph and user.
 */
export function threadsOfContext({ contextId, graph, user }: Context, sha1: Sha1): [string, ...string[]] {
  const own = uuidV5(NAMESPACE, JSON.stringify([contextId, graph, user ?? null]), sha1);
  return isUuid(contextId) ? [contextId.toLowerCase(), own] : [own];
}
