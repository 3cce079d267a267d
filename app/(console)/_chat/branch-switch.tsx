"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useRef } from "react";
import type { ShownFork } from "#lib/client/chat-state.ts";
import { IconButton } from "../_ui/button.tsx";
import { CopyButton } from "../_ui/copy-button.tsx";
import { PageLink } from "../_ui/page-link.tsx";

/** The state and the actions that all branch switches of a conversation share. */
export interface Branches {
  readonly show: (leaf: string) => void;
  readonly studioHref: (checkpoint?: string) => string;
  readonly chatHref: (checkpoint?: string) => string;
  /** Notes which switch is used. Its messages are replaced, and the focus returns to the switch of the new ones. */
  readonly markUsed: (used: UsedSwitch) => void;
  /** Returns the step of the switch if it was used last, once. */
  readonly takeUsed: (at: string | undefined) => number | undefined;
  readonly disabled: boolean;
}

export interface UsedSwitch {
  readonly at?: string;
  readonly step: number;
}

/** Shows which of several branches this is, with buttons for the others and the checkpoint from which they fork. */
export default function BranchSwitch({ fork, branches }: { fork: ShownFork; branches: Branches }) {
  const group = useRef<HTMLFieldSetElement>(null);
  const { at, leaves, current } = fork;
  const { markUsed, takeUsed, show, disabled } = branches;
  useEffect(() => {
    if (document.activeElement !== document.body) return;
    const step = takeUsed(at);
    if (step === undefined) return;
    const buttons = Array.from(group.current?.querySelectorAll<HTMLButtonElement>("button[data-step]") ?? []);
    const same = buttons.find((one) => one.dataset.step === String(step));
    (same?.disabled ? buttons.find((one) => !one.disabled) : same)?.focus();
  }, [takeUsed, at]);

  const step = (by: number, label: string) => {
    const leaf = leaves[current + by];
    return (
      <IconButton
        size="small"
        label={label}
        data-step={by}
        disabled={disabled || leaf === undefined}
        onClick={() => {
          if (leaf === undefined) return;
          markUsed({ at, step: by });
          show(leaf);
        }}
      >
        {by < 0 ? <ChevronLeft /> : <ChevronRight />}
      </IconButton>
    );
  };
  return (
    <fieldset
      ref={group}
      aria-label={`Branch ${current + 1} of ${leaves.length}`}
      className="mt-1 -ml-2 flex min-w-0 flex-wrap items-center text-small text-ink-2"
    >
      {step(-1, "Previous branch")}
      <span aria-hidden className="min-w-7 text-center font-medium text-ink">
        {current + 1}/{leaves.length}
      </span>
      {step(1, "Next branch")}
      {at === undefined ? (
        <span className="pl-2">Fork of the beginning</span>
      ) : (
        <span className="flex min-w-0 items-center gap-1.5 pl-2">
          <span className="truncate">
            Fork of checkpoint{" "}
            <code title={at} className="font-mono text-code">
              {at.slice(0, SHORT)}
            </code>
          </span>
          <CopyButton text={at} label={`Copy checkpoint ${at}`} variant="icon" />
          <PageLink
            href={branches.studioHref(at)}
            prefetch={false}
            className="rounded-key whitespace-nowrap text-accent hover:underline"
          >
            Open in Studio
          </PageLink>
        </span>
      )}
    </fieldset>
  );
}

/** The first half of an id has its time, in which the checkpoints of a thread differ. */
const SHORT = 13;
