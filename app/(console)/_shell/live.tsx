"use client";

import { useRouter } from "next/navigation";
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
} from "@/lib/client/follow-deployments.ts";
import { createLive, type Live } from "./live-store.ts";

/** What a page hears of its subject. */
type SubjectListener = Partial<Pick<DeploymentListener, "onRevision" | "onLines" | "onThreads">>;

const Context = createContext(createLive({ link: "connecting", deployments: [] }));
const FollowContext = createContext<(subject: DeploymentSubscription, listener: SubjectListener) => () => void>(
  () => () => undefined,
);

export function useLive(): Live {
  const { subscribe, current, initial } = useContext(Context);
  return useSyncExternalStore(subscribe, current, () => initial);
}

/** Follows one more thing for as long as the component is there, over the page's one connection. */
export function useFollow(
  { deployment, revision, log, after, threads }: DeploymentSubscription,
  listener: SubjectListener,
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

/** Several changes in a row, as a restart makes them, are one new rendering. */
const SETTLE_MS = 120;

/** Follows the deployments' states, and has the server render the page anew when one changes. */
export function LiveDeployments({
  initial,
  children,
}: {
  initial: readonly FollowedDeployment[];
  children: ReactNode;
}) {
  const router = useRouter();
  const [live] = useState(() => createLive({ link: "connecting", deployments: initial }));
  const [subject, setSubject] = useState<DeploymentSubscription>();
  const listener = useRef<SubjectListener>({});
  const rendered = useRef(initial);
  /** What was told last, whichever connection told it. */
  const lastStates = useRef<string>(undefined);
  const follow = useCallback((wanted: DeploymentSubscription, newListener: SubjectListener) => {
    listener.current = newListener;
    setSubject(wanted);
    return () => {
      listener.current = {};
      setSubject(undefined);
    };
  }, []);
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follower: DeploymentListener = {
      onConnection: (link) => live.change({ link }),
      onSignedOut: () => router.refresh(),
      onRevision: (revision) => listener.current.onRevision?.(revision),
      onLines: (lines) => listener.current.onLines?.(lines),
      onThreads: () => listener.current.onThreads?.(),
      onStates: (deployments) => {
        live.change({ deployments });
        const text = JSON.stringify(deployments);
        // The first news is mostly what the page was rendered with.
        const isChanged =
          lastStates.current === undefined ? !isSame(rendered.current, deployments) : lastStates.current !== text;
        lastStates.current = text;
        if (!isChanged) return;
        clearTimeout(timer);
        timer = setTimeout(() => router.refresh(), SETTLE_MS);
      },
    };
    // A page says what it is about while it is mounted: the connection is opened once that is known.
    const opening = setTimeout(() => void followDeployments(subject, follower, controller.signal), 0);
    return () => {
      clearTimeout(opening);
      clearTimeout(timer);
      controller.abort();
    };
  }, [router, subject, live]);
  return (
    <FollowContext value={follow}>
      <Context value={live}>{children}</Context>
    </FollowContext>
  );
}

function isSame(a: readonly FollowedDeployment[], b: readonly FollowedDeployment[]): boolean {
  const keyOf = (list: readonly FollowedDeployment[]): string =>
    list.map(({ name, status, newest }) => `${name} ${status} ${newest?.number} ${newest?.state}`).join("\n");
  return keyOf(a) === keyOf(b);
}
