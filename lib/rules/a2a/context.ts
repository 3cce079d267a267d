import { isUuid, type Sha1, uuidV5 } from "../uuid.ts";

export interface A2aContext {
  /** The id as the client wrote it. */
  readonly contextId: string;
  readonly graph: string;
  /** The identity that the application has authenticated. */
  readonly user?: string;
}

/** The namespace of the UUIDs that are derived for the threads of contexts. */
const NAMESPACE = "c1b7a6d2-6c0a-5a5e-9d44-0a3a3f0c5f51";

/**
 * Returns the threads that a context may mean, best first. A UUID means the thread with that id. When that thread holds
 * another graph's state, and for every other name, a thread is derived from the context, the graph and the user.
 */
export function threadsOfContext({ contextId, graph, user }: A2aContext, sha1: Sha1): [string, ...string[]] {
  const own = uuidV5(NAMESPACE, JSON.stringify([contextId, graph, user ?? null]), sha1);
  return isUuid(contextId) ? [contextId.toLowerCase(), own] : [own];
}
