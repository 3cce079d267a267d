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
  type DeploymentFollower,
  type DeploymentState,
  followDeployments,
  type Subject,
} from "@/lib/client/follow-deployments.ts";
import { createLive, type Live } from "./live-store.ts";

/** What a page hears of its subject. */
type Hearing = Partial<Pick<DeploymentFollower, "onRevision" | "onLines" | "onThreads">>;

const Context = createContext(createLive({ link: "connecting", deployments: [] }));
const FollowContext = createContext<(subject: Subject, hearing: Hearing) => () => void>(() => () => undefined);

export function useLive(): Live {
  const { subscribe, current, initial } = useContext(Context);
  return useSyncExternalStore(subscribe, current, () => initial);
}

/** Follows one more thing for as long as the component is there, over the page's one connection. */
export function useFollow({ deployment, revision, log, after, threads }: Subject, hearing: Hearing): void {
  const follow = useContext(FollowContext);
  const onRevision = useEffectEvent<DeploymentFollower["onRevision"]>((one) => hearing.onRevision?.(one));
  const onLines = useEffectEvent<DeploymentFollower["onLines"]>((some) => hearing.onLines?.(some));
  const onThreads = useEffectEvent<DeploymentFollower["onThreads"]>(() => hearing.onThreads?.());
  useEffect(
    () => follow({ deployment, revision, log, after, threads }, { onRevision, onLines, onThreads }),
    [follow, deployment, revision, log, after, threads],
  );
}

/** Several changes in a row, as a restart makes them, are one new rendering. */
const SETTLE_MS = 120;

/** Follows the deployments' states, and has the server render the page anew when one changes. */
export function LiveDeployments({ initial, children }: { initial: readonly DeploymentState[]; children: ReactNode }) {
  const router = useRouter();
  const [live] = useState(() => createLive({ link: "connecting", deployments: initial }));
  const [subject, setSubject] = useState<Subject>();
  const hearing = useRef<Hearing>({});
  const rendered = useRef(initial);
  /** What was told last, whichever connection told it. */
  const told = useRef<string>(undefined);
  const follow = useCallback((asked: Subject, heard: Hearing) => {
    hearing.current = heard;
    setSubject(asked);
    return () => {
      hearing.current = {};
      setSubject(undefined);
    };
  }, []);
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follower: DeploymentFollower = {
      onLink: (link) => live.change({ link }),
      onSignedOut: () => router.refresh(),
      onRevision: (revision) => hearing.current.onRevision?.(revision),
      onLines: (lines) => hearing.current.onLines?.(lines),
      onThreads: () => hearing.current.onThreads?.(),
      onStates: (deployments) => {
        live.change({ deployments });
        const text = JSON.stringify(deployments);
        // The first news is mostly what the page was rendered with.
        const isNews = told.current === undefined ? !isSame(rendered.current, deployments) : told.current !== text;
        told.current = text;
        if (!isNews) return;
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

function isSame(a: readonly DeploymentState[], b: readonly DeploymentState[]): boolean {
  const line = (list: readonly DeploymentState[]): string =>
    list.map(({ name, status, newest }) => `${name} ${status} ${newest?.number} ${newest?.state}`).join("\n");
  return line(a) === line(b);
}
