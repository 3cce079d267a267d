"use client";

import { Command } from "cmdk";
import { CircleAlert, LoaderCircle } from "lucide-react";
import { Dot } from "../_ui/status.tsx";
import { Key } from "../_ui/key.tsx";
import type { PaletteChoice } from "./palette-choices.ts";
import type { ChoiceGroup } from "./palette-groups.ts";
import type { ResultsNote } from "./use-palette-choices.ts";

const ROW =
  "flex h-9 scroll-my-2 items-center gap-3 rounded-control px-2.5 aria-selected:bg-accent-soft aria-selected:text-accent pointer-coarse:h-11";

/** Lists the groups of choices, then what is still loading or could not be loaded. */
export function Results({
  groups,
  notes,
  query,
  onChoose,
}: {
  groups: readonly ChoiceGroup[];
  notes: readonly ResultsNote[];
  query: string;
  onChoose: (choice: PaletteChoice) => void;
}) {
  const isEmpty = groups.length === 0 && notes.length === 0;
  return (
    <>
      {isEmpty ? <Nothing query={query.trim()} /> : null}
      {/* The list stays when it is empty, because the field refers to it. */}
      <Command.List
        label="Results"
        className={isEmpty ? "h-0" : "min-h-0 flex-1 overflow-y-auto overscroll-contain p-2"}
      >
        {groups.map(({ title, choices }) => (
          <Command.Group
            key={title}
            heading={title}
            className="mb-2 last:mb-0 **:[[cmdk-group-heading]]:px-2.5 **:[[cmdk-group-heading]]:py-1.5 **:[[cmdk-group-heading]]:text-small **:[[cmdk-group-heading]]:text-ink-3"
          >
            {choices.map((choice) => (
              <Item key={choice.id} choice={choice} onChoose={() => onChoose(choice)} />
            ))}
          </Command.Group>
        ))}
        {notes.map(({ id, text, retry }) => (
          <Command.Item
            key={id}
            value={id}
            disabled={retry === undefined}
            onSelect={retry}
            className={`${ROW} text-ink-2`}
          >
            {retry ? (
              <CircleAlert className="size-4 shrink-0 text-bad" />
            ) : (
              <LoaderCircle className="size-4 shrink-0 text-ink-3 motion-safe:animate-spin" />
            )}
            <span className="min-w-0 flex-1 truncate" title={text}>
              {text}
            </span>
            {retry ? <span className="shrink-0 font-medium text-ink">Retry</span> : null}
          </Command.Item>
        ))}
      </Command.List>
    </>
  );
}

function Item({ choice, onChoose }: { choice: PaletteChoice; onChoose: () => void }) {
  const { id, title, icon: Icon, tone, detail, keys } = choice;
  return (
    <Command.Item value={id} onSelect={onChoose} className={ROW}>
      <span className="flex size-4 shrink-0 items-center justify-center text-ink-3">
        {tone ? <Dot tone={tone} /> : Icon ? <Icon className="size-4" /> : null}
      </span>
      <span className="min-w-0 flex-1 truncate" title={title}>
        {title}
      </span>
      {detail === undefined ? null : (
        <span className="max-w-2/5 shrink-0 truncate text-small text-ink-2">{detail}</span>
      )}
      {keys === undefined ? null : <Key>{keys}</Key>}
    </Command.Item>
  );
}

function Nothing({ query }: { query: string }) {
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center justify-center gap-1 px-6 text-center">
      <p className="max-w-full truncate font-medium" title={query}>
        Nothing matches “{query}”
      </p>
      <p className="text-small text-ink-2">
        Try a page, a deployment, a graph, an action, or the title or id of a thread.
      </p>
    </div>
  );
}
