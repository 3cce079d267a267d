import { fetchEventSource } from "@microsoft/fetch-event-source";
import type { DeploymentView } from "../protocol/deployments.ts";
import { isObject } from "../protocol/json.ts";
import type { LogLine, Revision } from "../protocol/revisions.ts";
import { RequestFailure } from "./refusal.ts";

export interface FollowedDeployment extends Pick<DeploymentView, "name" | "status" | "newest"> {
  /** The revision that serves, or would. */
  readonly live: { readonly number: number } | null;
}

/** `refused`: this server does not speak to the console under this address. */
export type ConnectionStatus = "connecting" | "live" | "reconnecting" | "refused";

/** What a page follows beside the states of all deployments. */
export interface DeploymentSubscription {
  readonly deployment: string;
  readonly revision?: number;
  readonly log?: "build" | "server";
  /** Lines after the one with this id; -1 for all. */
  readonly after?: number;
  /** Runs of its threads that begin and end. */
  readonly threads?: boolean;
}

export interface DeploymentListener {
  readonly onStates: (states: readonly FollowedDeployment[]) => void;
  readonly onRevision: (revision: Revision) => void;
  readonly onLines: (lines: readonly LogLine[]) => void;
  readonly onThreads: () => void;
  readonly onLink: (link: ConnectionStatus) => void;
  /** The session has ended: the page has to be asked for again. */
  readonly onSignedOut: () => void;
}

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;

/**
 * Tells every change of the deployments' states, and of what a page is about, until `signal` ends it. A lost connection
 * is opened again, later each time, and goes on where it broke. A hidden tab lets its connection go: browsers keep six a
 * host, and forgotten tabs would use them up.
 */
export async function followDeployments(
  subject: DeploymentSubscription | undefined,
  follower: DeploymentListener,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  await fetchEventSource(addressOf(subject), {
    signal,
    openWhenHidden: false,
    onopen: (response) => {
      if (response.status === 401) follower.onSignedOut();
      if (response.status === 403) follower.onLink("refused");
      if (!response.ok) return Promise.reject(new RequestFailure(response.status, `HTTP ${response.status}`));
      failures = 0;
      follower.onLink("live");
      return Promise.resolve();
    },
    onmessage: ({ event, data }) => {
      if (event === "threads") follower.onThreads();
      else if (event === "deployments") follower.onStates(statesOf(data));
      // Both are the server's own words, of the version that this page is of.
      else if (event === "revision") follower.onRevision(JSON.parse(data) as Revision);
      else if (event === "lines") follower.onLines(JSON.parse(data) as LogLine[]);
    },
    // A feed has no end of its own: the server went away.
    onclose: () => {
      throw new Error("closed");
    },
    onerror: (error) => {
      if (!(error instanceof RequestFailure && error.status === 403)) follower.onLink("reconnecting");
      return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures++);
    },
  });
}

function addressOf(subject: DeploymentSubscription | undefined): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(subject ?? {})) if (value !== undefined) query.set(name, String(value));
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

function statesOf(data: string): FollowedDeployment[] {
  const parsed: unknown = JSON.parse(data);
  return Array.isArray(parsed) ? parsed.filter(isState) : [];
}
