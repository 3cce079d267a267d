"use client";

import { ChevronRight } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { useState, useSyncExternalStore } from "react";
import { onRecentThreads, recentThreads } from "#lib/client/recent-threads.ts";
import { type RecentThread, threadPath } from "#lib/rules/threads/recent.ts";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { PageLink } from "../_ui/page-link.tsx";

const STORAGE_KEY = "graphlib.recent-open";
const NONE: readonly RecentThread[] = [];

/** Lists the threads of a deployment that were opened last in this browser. */
export function RecentThreads({ deployment }: { deployment: string }) {
  const threads = useSyncExternalStore(
    onRecentThreads,
    () => recentThreads(deployment),
    () => NONE,
  );
  // The list is only in the browser, and so is whether it is open.
  return threads.length === 0 ? null : <List deployment={deployment} threads={threads} />;
}

function List({ deployment, threads }: { deployment: string; threads: readonly RecentThread[] }) {
  const [isOpen, setOpen] = useState(wasOpen);
  const path = usePathname();
  const shown = useSearchParams().get("thread");
  const base = deploymentPath(deployment);
  return (
    <details
      open={isOpen}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
        keepOpen(event.currentTarget.open);
      }}
      className="group mt-4"
    >
      <summary className="flex h-7 list-none items-center gap-1.5 rounded-control px-2.5 text-small text-ink-2 hover:text-ink pointer-coarse:h-10">
        Recent threads
        <ChevronRight className="size-3 transition-transform group-open:rotate-90" />
      </summary>
      <ul aria-label="Recent threads" className="mt-0.5 flex flex-col gap-0.5">
        {threads.map((one) => {
          const isHere = path.endsWith(`/threads/${one.id}`) || shown === one.id;
          return (
            <li key={one.id}>
              <PageLink
                href={base + threadPath(one)}
                prefetch={false}
                title={one.title}
                aria-current={isHere ? "page" : undefined}
                className={`block truncate rounded-control px-2.5 py-1 transition-colors pointer-coarse:py-2.5 ${isHere ? "text-accent" : "text-ink-2 hover:bg-well hover:text-ink"}`}
              >
                {one.title}
              </PageLink>
            </li>
          );
        })}
      </ul>
    </details>
  );
}

function wasOpen(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== "closed";
  } catch {
    return true;
  }
}

function keepOpen(isOpen: boolean): void {
  try {
    localStorage.setItem(STORAGE_KEY, isOpen ? "open" : "closed");
  } catch {
    // Without storage the list is open again after a reload.
  }
}
