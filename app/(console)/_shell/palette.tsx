"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { Command } from "cmdk";
import { ChevronRight, Search, X } from "lucide-react";
import { type KeyboardEvent, type RefObject, useRef, useState } from "react";
import { counted } from "#lib/rules/text/counted.ts";
import { VEIL } from "../_ui/dialog.tsx";
import { takeEarly } from "./early-field.ts";
import type { PaletteChoice } from "./palette-choices.ts";
import { Footer } from "./palette-footer.tsx";
import type { ChoiceGroup } from "./palette-groups.ts";
import { Results } from "./palette-results.tsx";
import { type ResultsNote, useChoices } from "./use-palette-choices.ts";
import { useEffects } from "./use-palette-effects.ts";
import { rememberChoice } from "./used-choices.ts";

interface PaletteProps {
  open: boolean;
  onClose: () => void;
  onHelp: () => void;
  /** True if there is a session to sign out of. */
  keyed: boolean;
}

/** The command palette: everything that the console can open or do, found by typing. */
export default function Palette({ open, onClose, onHelp, keyed }: PaletteProps) {
  /** The element that had the focus before the early field; undefined if there was no such field. */
  const before = useRef<Element | null>(undefined);
  const giveBack = () => {
    if (before.current === undefined) return true;
    return before.current instanceof HTMLElement && before.current !== document.body ? before.current : false;
  };
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={VEIL} />
        <Base.Popup
          finalFocus={giveBack}
          className="fixed inset-0 z-40 flex flex-col overflow-hidden bg-raised transition-[opacity,scale] outline-none data-ending-style:opacity-0 data-starting-style:opacity-0 sm:inset-auto sm:top-[12dvh] sm:left-1/2 sm:h-[min(29rem,76dvh)] sm:w-[min(40rem,calc(100vw-2rem))] sm:-translate-x-1/2 sm:rounded-card sm:border sm:border-line-strong sm:shadow-float sm:data-ending-style:scale-98 sm:data-starting-style:scale-98"
        >
          <Base.Title className="sr-only">Command palette</Base.Title>
          <Content
            onClose={onClose}
            onHelp={onHelp}
            keyed={keyed}
            onTakeOver={(element) => (before.current = element)}
          />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function Content({
  onClose,
  onHelp,
  keyed,
  onTakeOver,
}: Omit<PaletteProps, "open"> & { onTakeOver: (focused: Element | null) => void }) {
  const [query, setQuery] = useState("");
  /** The deployment that was entered. */
  const [entered, setEntered] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const { groups, notes } = useChoices({ query, entered, keyed });
  const selection = useSelection(groups, notes);
  const act = useEffects(onHelp);

  const enter = (deployment: string | undefined) => {
    setEntered(deployment);
    setQuery("");
    field.current?.focus();
  };
  const choose = ({ id, effect }: PaletteChoice) => {
    rememberChoice(id);
    if (effect.type === "enter") return enter(effect.deployment);
    onClose();
    act(effect);
  };
  const takeOver = () => {
    const early = takeEarly();
    if (!early) return;
    onTakeOver(early.before);
    setQuery(early.text);
    if (early.isEntered) enterSoon(field);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Backspace" || query !== "" || entered === undefined) return;
    event.preventDefault();
    enter(undefined);
  };
  const count = groups.reduce((sum, group) => sum + group.choices.length, 0);
  return (
    // The field lists the matches itself, so cmdk neither filters nor sorts.
    <Command
      {...selection}
      shouldFilter={false}
      loop
      label="Search or run a command"
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="flex h-13 shrink-0 items-center gap-2.5 border-b border-line px-4">
        <Search className="size-4 shrink-0 text-ink-3" />
        {entered === undefined ? null : (
          <button
            type="button"
            aria-label={`Leave ${entered}`}
            title={`Leave ${entered}`}
            onClick={() => enter(undefined)}
            className="inline-flex h-6 max-w-40 shrink-0 items-center gap-1 rounded-key bg-accent-soft px-2 font-medium text-accent pointer-coarse:h-8"
          >
            <span className="truncate">{entered}</span> <ChevronRight className="size-3.5 shrink-0" />
          </button>
        )}
        <Command.Input
          ref={field}
          value={query}
          onValueChange={setQuery}
          onFocus={takeOver}
          onKeyDown={onKeyDown}
          maxLength={200}
          placeholder={entered === undefined ? "Search, or run a command" : "Search this deployment"}
          className="h-full min-w-0 flex-1 bg-transparent outline-none max-sm:text-[1rem]"
        />
        <Base.Close
          aria-label="Close"
          className="-mr-2 inline-flex size-10 shrink-0 items-center justify-center rounded-control text-ink-2 hover:bg-well hover:text-ink sm:hidden"
        >
          <X className="size-4" />
        </Base.Close>
      </div>
      <Results groups={groups} notes={notes} query={query} onChoose={choose} />
      <output className="sr-only">{query === "" ? "" : counted(count, "result")}</output>
      <Footer canLeave={entered !== undefined} />
    </Command>
  );
}

/** Presses Enter in the field when the choices for its text are listed. */
function enterSoon(field: RefObject<HTMLInputElement | null>): void {
  const press = () => field.current?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  requestAnimationFrame(() => requestAnimationFrame(press));
}

/** Selects the first choice where the selected one is gone. cmdk does not, if the list was without choices in between. */
function useSelection(groups: readonly ChoiceGroup[], notes: readonly ResultsNote[]) {
  const [selected, onValueChange] = useState("");
  const choices = groups.flatMap((group) => group.choices.map((one) => one.id));
  const ids = [...choices, ...notes.flatMap(({ id, retry }) => (retry ? [id] : []))];
  return { value: ids.includes(selected) ? selected : (ids[0] ?? ""), onValueChange };
}
