import { fetchEventSource } from "@microsoft/fetch-event-source";
import type { DeploymentView } from "../protocol/deployments.ts";
import { isObject } from "../protocol/json.ts";
import type { LogLine, Revision } from "../protocol/revisions.ts";
import { type Interruption, isRestarting } from "./follow-to-end.ts";
import { RequestFailure } from "./refusal.ts";

export interface FollowedDeployment extends Pick<DeploymentView, "name" | "status" | "newest"> {
  /** The revision that serves, or would if the deployment were not stopped. */
  readonly live: { readonly number: number } | null;
  /** Left out in what a page is rendered with. */
  readonly servers?: DeploymentView["servers"];
}

/** `refused`: the server does not accept the console at this address. */
export type ConnectionStatus = "connecting" | "live" | "reconnecting" | "refused";

/** The parts of one deployment that a page follows in addition to the states of all deployments. */
export interface DeploymentSubscription {
  readonly deployment: string;
  readonly revision?: number;
  readonly log?: "build" | "server";
  /** The log starts after the line with this id; -1 for the first line. */
  readonly after?: number;
  /**
   * Set to be notified when runs of the deployment's threads may have begun or ended, or threads were deleted, and with
   * each new connection.
   */
  readonly threads?: boolean;
}

export interface DeploymentListener {
  readonly onStates: (states: readonly FollowedDeployment[]) => void;
  readonly onRevision: (revision: Revision) => void;
  readonly onLines: (lines: readonly LogLine[]) => void;
  readonly onThreads: () => void;
  /** `next`: while reconnecting, the reason and the time of the next try in ms since the epoch. */
  readonly onConnection: (link: ConnectionStatus, next?: Omit<Interruption, "tryNow">) => void;
  /** The session has ended, so the page must be loaded again. */
  readonly onSignedOut: () => void;
}

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;

/**
 * Notifies a listener of every change of the deployments' states, and of the subscribed parts, until `signal` aborts. A
 * lost connection is opened again with growing pauses and continues where it broke. A hidden tab closes its connection:
 * browsers allow six per host, and forgotten tabs would use them up.
 */
export async function followDeployments(
  subscription: DeploymentSubscription | undefined,
  listener: DeploymentListener,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  await fetchEventSource(addressOf(subscription), {
    signal,
    openWhenHidden: false,
    onopen: (response) => {
      if (response.status === 401) listener.onSignedOut();
      if (response.status === 403) listener.onConnection("refused");
      if (!response.ok) return Promise.reject(new RequestFailure(response.status, `HTTP ${response.status}`));
      failures = 0;
      listener.onConnection("live");
      return Promise.resolve();
    },
    onmessage: ({ event, data }) => {
      if (event === "threads") listener.onThreads();
      else if (event === "deployments") listener.onStates(statesOf(data));
      // Both can be cast, because the server has the same version as this page.
      else if (event === "revision") listener.onRevision(JSON.parse(data) as Revision);
      else if (event === "lines") listener.onLines(JSON.parse(data) as LogLine[]);
    },
    // The stream has no end of its own, so the server went away.
    onclose: () => {
      throw new Error("closed");
    },
    onerror: (error) => {
      const status = error instanceof RequestFailure ? error.status : 0;
      const ms = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures++);
      const why = isRestarting(status) ? "restarting" : "unreachable";
      if (status !== 403) listener.onConnection("reconnecting", { why, next: Date.now() + ms });
      return ms;
    },
  });
}

function addressOf(subscription: DeploymentSubscription | undefined): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(subscription ?? {}))
    if (value !== undefined) query.set(name, String(value));
  return `/api/deployments/events${query.size > 0 ? `?${query}` : ""}`;
}

const STATUSES: Record<DeploymentView["status"], true> = {
  provisioning: true,
  ready: true,
  updating: true,
  deleting: true,
  degraded: true,
  failed: true,
  stopped: true,
};

function isState(value: unknown): value is FollowedDeployment {
  return (
    isObject(value) &&
    typeof value.name === "string" &&
    typeof value.status === "string" &&
    Object.hasOwn(STATUSES, value.status)
  );
}

/** Returns the states as text, to compare them. Servers are left out: they come and go while a deployment stays. */
export function textOfStates(states: readonly FollowedDeployment[]): string {
  return JSON.stringify(states, (key, value: unknown) => (key === "servers" ? undefined : value));
}

function statesOf(data: string): FollowedDeployment[] {
  const parsed: unknown = JSON.parse(data);
  return Array.isArray(parsed) ? parsed.filter(isState) : [];
}
