import type { Asker, HostAsk } from "../protocol/ask.ts";
import type { Deployment, Platform } from "./ports/ports.ts";
import { answerStore, type StoreHome } from "./store.ts";

/**
 * Answers what a graph asks while it runs. It writes at once, in the order of the questions. Faults: `conflict` when the
 * asker's token is stale.
 */
export async function answerAsk(
  platform: Pick<Platform, "clock" | "newId">,
  deployment: Pick<Deployment, "checkpoints"> & StoreHome,
  asker: Asker,
  ask: HostAsk,
): Promise<unknown> {
  if (ask.about === "store") return await answerStore(platform, deployment, ask.operations);
  const { checkpoints } = deployment;
  switch (ask.do) {
    case "get":
      return await checkpoints.get(ask, ask);
    case "list":
      return await checkpoints.list(ask);
    case "put":
      return await checkpoints.put(asker, ask, ask.versions);
    case "writes":
      return await checkpoints.putWrites(asker, ask, ask.writes);
    case "delete":
      return await checkpoints.deleteThread(asker, ask.thread);
  }
}
