"use client";

import { ChevronsUpDown } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import type { FollowedDeployment } from "#lib/client/follow-deployments.ts";
import { DEPLOYMENT_STATUS, Dot } from "../_ui/status.tsx";
import { notifyNotLoaded } from "../_ui/toast.ts";
import { holdKeys } from "../_ui/hold-keys.ts";
import { lazyPart } from "../_ui/lazy-part.ts";

const load = () => import("./switcher-popover.tsx");
const SwitcherPopover = lazyPart(load);

/** Shows the current deployment with its status. It opens the list of the others. */
export function Switcher({ current: { name, status } }: { current: FollowedDeployment }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const { tone, word } = DEPLOYMENT_STATUS[status];
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={`${name}, ${word}. Switch deployment`}
        onClick={() => {
          const release = holdKeys();
          void load()
            .then(() => {
              setWanted(true);
              setOpen(!isOpen);
            }, notifyNotLoaded)
            .finally(release);
        }}
        className="mb-2 flex w-full items-center gap-2 rounded-control border border-line bg-raised py-1.5 pr-2 pl-2.5 text-left transition-colors hover:border-line-strong aria-expanded:border-line-strong"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium" title={name}>
            {name}
          </span>
          <span className="flex items-center gap-1.5 text-small text-ink-2">
            <Dot tone={tone} /> {word}
          </span>
        </span>
        <ChevronsUpDown className="size-3.5 shrink-0 text-ink-3" />
      </button>
      {isWanted ? (
        <Suspense>
          <SwitcherPopover anchor={button} open={isOpen} onOpen={setOpen} current={name} />
        </Suspense>
      ) : null}
    </>
  );
}
