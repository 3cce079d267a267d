"use client";

import { Popover } from "@base-ui/react/popover";
import { Command } from "cmdk";
import { Check, LayoutGrid, Plus } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { type RefObject, useRef, useState } from "react";
import { counted } from "#lib/rules/text/counted.ts";
import { rank } from "#lib/rules/text/rank.ts";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { PageLink } from "../_ui/page-link.tsx";
import { DEPLOYMENT_STATUS, Dot } from "../_ui/status.tsx";
import { pageOf } from "./deployment-pages.ts";
import { useLive } from "./live.tsx";

/** A longer list shows its filter. A shorter one shows it once somebody types. */
const MOST_WITHOUT_FILTER = 8;
const ROW = "flex h-9 items-center gap-2.5 rounded-control px-2.5 pointer-coarse:h-11";

/** Lists the deployments. A choice opens the same page of another deployment. */
export default function SwitcherPopover({
  anchor,
  open,
  onOpen,
  current,
}: {
  anchor: RefObject<HTMLButtonElement | null>;
  open: boolean;
  onOpen: (open: boolean) => void;
  current: string;
}) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Popover.Root
      open={open}
      onOpenChange={(next, { event }) => {
        // The button itself opens and closes.
        if (event.target instanceof Node && anchor.current?.contains(event.target)) return;
        onOpen(next);
      }}
    >
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} align="start" sideOffset={4} className="z-50">
          <Popover.Popup
            initialFocus={field}
            finalFocus={anchor}
            className="flex max-h-[min(26rem,var(--available-height))] w-64 flex-col rounded-card border border-line-strong bg-raised shadow-float outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            <Popover.Title className="sr-only">Switch deployment</Popover.Title>
            <List field={field} current={current} onDone={() => onOpen(false)} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function List({
  field,
  current,
  onDone,
}: {
  field: RefObject<HTMLInputElement | null>;
  current: string;
  onDone: () => void;
}) {
  const router = useRouter();
  const path = usePathname();
  const { deployments } = useLive();
  const [query, setQuery] = useState("");
  const found = rank(
    query,
    deployments.map(({ name, status }) => ({ title: name, status })),
  );
  const isFilterShown = query !== "" || deployments.length > MOST_WITHOUT_FILTER;
  const choose = (name: string) => {
    onDone();
    if (name !== current) router.push(deploymentPath(name) + pageOf(path));
  };
  return (
    <Command
      shouldFilter={false}
      loop
      label="Filter deployments"
      defaultValue={current}
      className="flex min-h-0 flex-col"
    >
      <div className={isFilterShown ? "border-b border-line px-3" : "sr-only"}>
        <Command.Input
          ref={field}
          value={query}
          onValueChange={setQuery}
          maxLength={100}
          placeholder="Filter"
          className="h-10 w-full bg-transparent outline-none max-sm:text-[1rem]"
        />
      </div>
      {found.length === 0 ? <p className="px-4 py-3 text-ink-2">No deployment is called so.</p> : null}
      <Command.List label="Deployments" className={found.length === 0 ? "h-0" : "min-h-0 overflow-y-auto p-1.5"}>
        {found.map(({ title, status }) => {
          const { tone, word } = DEPLOYMENT_STATUS[status];
          return (
            <Command.Item
              key={title}
              value={title}
              onSelect={() => choose(title)}
              aria-current={title === current ? "true" : undefined}
              className={`${ROW} cursor-pointer aria-selected:bg-accent-soft aria-selected:text-accent`}
            >
              <Dot tone={tone} />
              <span className="min-w-0 flex-1 truncate" title={title}>
                {title}
              </span>
              <span className="shrink-0 text-small text-ink-2">{word}</span>
              <Check className={`size-3.5 shrink-0 ${title === current ? "" : "invisible"}`} />
            </Command.Item>
          );
        })}
      </Command.List>
      <output className="sr-only">{query === "" ? "" : counted(found.length, "deployment")}</output>
      <div className="border-t border-line p-1.5">
        <PageLink href="/" onClick={onDone} className={`${ROW} text-ink-2 hover:bg-well hover:text-ink`}>
          <LayoutGrid className="size-4" /> All deployments
        </PageLink>
        <PageLink href="/deployments/new" onClick={onDone} className={`${ROW} text-ink-2 hover:bg-well hover:text-ink`}>
          <Plus className="size-4" /> New deployment
        </PageLink>
      </div>
    </Command>
  );
}
