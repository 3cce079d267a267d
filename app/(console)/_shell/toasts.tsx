"use client";

import { usePathname } from "next/navigation";
import { type ComponentType, useEffect, useEffectEvent, useRef, useState } from "react";
import type { FollowedDeployment } from "#lib/client/follow-deployments.ts";
import { revisionOutcomes } from "#lib/rules/revisions/outcomes.ts";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { closeToast, notify, onToastWaiting } from "../_ui/toast.ts";
import { useLive } from "./live.tsx";

const load = () => import("../_ui/toaster.tsx");
/** The time for the page's own scripts. After it, the code of the toasts loads: one has to say that the server is gone. */
const QUIET_MS = 2000;

/** Shows toasts, and those about deployments and the connection on every page. */
export function Toasts() {
  const [Toaster, setToaster] = useState<ComponentType>();
  useEffect(() => {
    const show = () =>
      void load().then(
        (module) => setToaster(() => module.default),
        // Without the code, toasts wait for the next one, which loads it again.
        () => undefined,
      );
    const timer = setTimeout(show, QUIET_MS);
    const stop = onToastWaiting(show);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
  useRevisionToasts();
  useConnectionToast();
  return Toaster ? <Toaster /> : null;
}

/** Says which revisions went live or failed, except on the pages that show it. */
function useRevisionToasts(): void {
  const { deployments } = useLive();
  const path = usePathname();
  const before = useRef(deployments);
  const announce = useEffectEvent((next: readonly FollowedDeployment[]) => {
    for (const { deployment, number, outcome } of revisionOutcomes(before.current, next)) {
      const base = deploymentPath(deployment);
      if (path === "/" || path === base || path.startsWith(`${base}/revisions`)) continue;
      const isLive = outcome === "live";
      notify({
        id: `revision ${deployment}`,
        title: `${deployment}: revision ${number} ${isLive ? "is live" : "failed"}`,
        tone: isLive ? "ok" : "bad",
        action: isLive ? { label: "Open", href: base } : { label: "Show why", href: `${base}/revisions/${number}` },
      });
    }
    before.current = next;
  });
  useEffect(() => announce(deployments), [deployments]);
}

const CONNECTION = "connection";
/** A restart of the server is often shorter than this, and then nobody needs to know. */
const PATIENCE_MS = 2500;

/** Says that the connection is lost, and that it is back. */
function useConnectionToast(): void {
  const { link } = useLive();
  const isTold = useRef(false);
  // The chat and the Studio say it above their message fields, which the toast would cover.
  const isShown = /^\/deployments\/[^/]+\/(chat|studio\/[^/]+)$/.test(usePathname());
  useEffect(() => {
    if (link === "live" && isTold.current) {
      isTold.current = false;
      notify({ id: CONNECTION, title: "Connected again", tone: "ok" });
    }
    if (link !== "reconnecting") return;
    if (isShown) {
      isTold.current = false;
      return closeToast(CONNECTION);
    }
    const timer = setTimeout(() => {
      isTold.current = true;
      const detail = "What you see may be out of date. Reconnecting…";
      notify({ id: CONNECTION, title: "The server does not answer", detail, tone: "waiting", stays: true });
    }, PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [link, isShown]);
}
