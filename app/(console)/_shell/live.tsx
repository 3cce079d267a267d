"use client";

import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import {
  type DeploymentListener,
  type FollowedDeployment,
  followDeployments,
  type DeploymentSubscription,
  textOfStates,
} from "#lib/client/follow-deployments.ts";
import { createLive, type Live } from "./live-store.ts";
import { RefreshContext, useRefreshInTurn } from "./use-refresh-page.ts";

/** The callbacks of a subscription. */
type SubscriptionListener = Partial<Pick<DeploymentListener, "onRevision" | "onLines" | "onThreads">>;

const Context = createContext(createLive({ link: "connecting", deployments: [] }));
const FollowContext = createContext<
  (subscription: DeploymentSubscription, listener: SubscriptionListener) => () => void
>(() => () => undefined);

export function useLive(): Live {
  const { subscribe, current, initial } = useContext(Context);
  return useSyncExternalStore(subscribe, current, () => initial);
}

/** Subscribes while the component is mounted, over the one connection of the page. */
export function useFollow(
  { deployment, revision, log, after, threads }: DeploymentSubscription,
  listener: SubscriptionListener,
): void {
  const follow = useContext(FollowContext);
  const onRevision = useEffectEvent<DeploymentListener["onRevision"]>((one) => listener.onRevision?.(one));
  const onLines = useEffectEvent<DeploymentListener["onLines"]>((some) => listener.onLines?.(some));
  const onThreads = useEffectEvent<DeploymentListener["onThreads"]>(() => listener.onThreads?.());
  useEffect(
    () => follow({ deployment, revision, log, after, threads }, { onRevision, onLines, onThreads }),
    [follow, deployment, revision, log, after, threads],
  );
}

/** The delay that turns several changes in a row, such as those of a restart, into one refresh. */
const SETTLE_MS = 120;

/**
 * Follows the states of the deployments, and refreshes the page from the server when one changes. Servers that come and go
 * are shown by one page, which follows them itself.
 */
export function LiveDeployments({
  initial,
  children,
}: {
  initial: readonly FollowedDeployment[];
  children: ReactNode;
}) {
  const refresh = useRefreshInTurn();
  const [live] = useState(() => createLive({ link: "connecting", deployments: initial }));
  const [subscription, setSubscription] = useState<DeploymentSubscription>();
  const listener = useRef<SubscriptionListener>({});
  const rendered = useRef(initial);
  /** The states that were received last, over any connection. */
  const lastStates = useRef<string>(undefined);
  const follow = useCallback((wanted: DeploymentSubscription, newListener: SubscriptionListener) => {
    listener.current = newListener;
    setSubscription(wanted);
    return () => {
      listener.current = {};
      setSubscription(undefined);
    };
  }, []);
  useEffect(() => {
    let controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follower: DeploymentListener = {
      onConnection: (link, next) => live.change({ link, interruption: next && { ...next, tryNow: connect } }),
      onSignedOut: refresh,
      onRevision: (revision) => listener.current.onRevision?.(revision),
      onLines: (lines) => listener.current.onLines?.(lines),
      onThreads: () => listener.current.onThreads?.(),
      onStates: (deployments) => {
        live.change({ deployments });
        const text = textOfStates(deployments);
        // The first states are usually those that the page was rendered with.
        const isChanged =
          lastStates.current === undefined ? !isSame(rendered.current, deployments) : lastStates.current !== text;
        lastStates.current = text;
        if (!isChanged) return;
        clearTimeout(timer);
        timer = setTimeout(refresh, SETTLE_MS);
      },
    };
    function connect(): void {
      controller.abort();
      controller = new AbortController();
      void followDeployments(subscription, follower, controller.signal);
    }
    // Components set the subscription while they mount, so the connection is opened afterwards.
    const opening = setTimeout(connect, 0);
    return () => {
      clearTimeout(opening);
      clearTimeout(timer);
      controller.abort();
    };
  }, [refresh, subscription, live]);
  return (
    <RefreshContext value={refresh}>
      <FollowContext value={follow}>
        <Context value={live}>{children}</Context>
      </FollowContext>
    </RefreshContext>
  );
}

function isSame(a: readonly FollowedDeployment[], b: readonly FollowedDeployment[]): boolean {
  const keyOf = (list: readonly FollowedDeployment[]): string =>
    list.map(({ name, status, newest }) => `${name} ${status} ${newest?.number} ${newest?.state}`).join("\n");
  return keyOf(a) === keyOf(b);
}
