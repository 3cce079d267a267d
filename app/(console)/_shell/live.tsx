"use client";

import { useRouter } from "next/navigation";
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { type DeploymentState, followDeployments, type Link } from "@/lib/client/follow-deployments.ts";

interface Live {
  link: Link;
  deployments: readonly DeploymentState[];
}

const Context = createContext<Live>({ link: "connecting", deployments: [] });

export const useLive = (): Live => useContext(Context);

/** Several changes in a row, as a restart makes them, are one new rendering. */
const SETTLE_MS = 120;

/** Follows the deployments' states, and has the server render the page anew when one changes. */
export function LiveDeployments({ initial, children }: { initial: readonly DeploymentState[]; children: ReactNode }) {
  const router = useRouter();
  const [live, setLive] = useState<Live>({ link: "connecting", deployments: initial });
  const known = useRef<readonly DeploymentState[] | undefined>(initial);
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follower = {
      onLink: (link: Link) => setLive((before) => ({ ...before, link })),
      onSignedOut: () => router.refresh(),
      onStates: (deployments: readonly DeploymentState[]) => {
        setLive((before) => ({ ...before, deployments }));
        // The first news of a connection is mostly what the page was rendered with.
        const isNews = known.current === undefined || !isSame(known.current, deployments);
        known.current = undefined;
        if (!isNews) return;
        clearTimeout(timer);
        timer = setTimeout(() => router.refresh(), SETTLE_MS);
      },
    };
    void followDeployments("/api/deployments/events", follower, controller.signal);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [router]);
  return <Context value={live}>{children}</Context>;
}

function isSame(a: readonly DeploymentState[], b: readonly DeploymentState[]): boolean {
  const line = (list: readonly DeploymentState[]): string =>
    list.map(({ name, status }) => `${name} ${status}`).join("\n");
  return line(a) === line(b);
}
