import type { RequestOrigin, HostRequest } from "../protocol/host-requests.ts";
import type { Deployment, Platform } from "./ports/ports.ts";
import { answerStore, type StoreContext } from "./store.ts";

/**
 * Executes a request of a running graph. Writes are made at once, in the order of the requests. Faults: `conflict` when
 * the token of `origin` is stale.
 */
export async function answerHostRequest(
  platform: Pick<Platform, "clock" | "newId">,
  deployment: Pick<Deployment, "checkpoints"> & StoreContext,
  origin: RequestOrigin,
  request: HostRequest,
): Promise<unknown> {
  if (request.about === "store") return await answerStore(platform, deployment, origin, request.operations);
  const { checkpoints } = deployment;
  switch (request.do) {
    case "get":
      return await checkpoints.get(request, request);
    case "list":
      return await checkpoints.list(request);
    case "put":
      return await checkpoints.put(origin, request, request.versions);
    case "writes":
      return await checkpoints.putWrites(origin, request, request.writes);
    case "delete":
      return await checkpoints.deleteThread(origin, request.thread);
  }
}
