import type { HostRequests } from "../host-requests.ts";
import type { HostChannel } from "../channel.ts";
import type { createEmbedder } from "../application/embed.ts";
import type { Application } from "../application/load.ts";
import type { RunResources } from "./options.ts";

/** The resources that all runs of a process share. */
export interface RunContext extends RunResources {
  readonly app: Application;
  readonly channel: HostChannel;
  readonly host: HostRequests;
  /** Tells whether so many runs are going on that the host might refuse a template of another one. */
  readonly isCrowded: () => boolean;
  readonly embed: ReturnType<typeof createEmbedder>;
}
