import { fetchEventSource } from "@microsoft/fetch-event-source";
import { isObject } from "../protocol/json.ts";
import type { DeploymentView } from "../protocol/deployments.ts";

export type DeploymentState = Pick<DeploymentView, "name" | "status">;

export type Link = "connecting" | "live" | "reconnecting";

export interface DeploymentFollower {
  readonly onStates: (states: readonly DeploymentState[]) => void;
  readonly onLink: (link: Link) => void;
  /** The session has ended: the page has to be asked for again. */
  readonly onSignedOut: () => void;
}

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;

/**
 * Tells every change of the deployments' states until `signal` ends it. A lost connection is opened again, later each
 * time. A hidden tab lets its connection go: browsers keep six a host, and forgotten tabs would use them up.
 */
export async function followDeployments(url: string, follower: DeploymentFollower, signal: AbortSignal): Promise<void> {
  let failures = 0;
  await fetchEventSource(url, {
    signal,
    openWhenHidden: false,
    onopen: (response) => {
      if (response.status === 401) follower.onSignedOut();
      if (!response.ok) return Promise.reject(new Error(`HTTP ${response.status}`));
      failures = 0;
      follower.onLink("live");
      return Promise.resolve();
    },
    onmessage: ({ event, data }) => {
      if (event === "deployments") follower.onStates(statesOf(data));
    },
    // A feed has no end of its own: the server went away.
    onclose: () => {
      throw new Error("closed");
    },
    onerror: () => {
      follower.onLink("reconnecting");
      return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures++);
    },
  });
}

const STATUSES: Record<DeploymentView["status"], true> = {
  provisioning: true,
  ready: true,
  degraded: true,
  failed: true,
  stopped: true,
};

function isState(value: unknown): value is DeploymentState {
  return (
    isObject(value) &&
    typeof value.name === "string" &&
    typeof value.status === "string" &&
    Object.hasOwn(STATUSES, value.status)
  );
}

function statesOf(data: string): DeploymentState[] {
  const parsed: unknown = JSON.parse(data);
  return Array.isArray(parsed) ? parsed.filter(isState) : [];
}
