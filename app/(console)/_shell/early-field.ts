/** It looks as the first line of the palette, which takes its place, and is seen only if the palette takes longer. */
const LOOK =
  "fixed inset-x-0 top-0 z-40 h-13 border-b border-line-strong bg-raised pr-4 pl-10.5 shadow-float outline-none transition-opacity delay-100 starting:opacity-0 max-sm:text-[1rem] sm:top-[12dvh] sm:mx-auto sm:w-[min(40rem,calc(100vw-2rem))] sm:rounded-card sm:border";

interface EarlyField {
  readonly field: HTMLInputElement;
  /** The element that had the focus before. */
  readonly before: Element | null;
}

let early: EarlyField | undefined;

/**
 * Shows a field until the code of the palette is there, so that what is typed meanwhile is neither lost nor a shortcut of the
 * page. It closes if the focus leaves it for something else than the palette.
 */
export function openEarlyField(): void {
  const field = document.createElement("input");
  early = { field, before: document.activeElement };
  field.className = LOOK;
  field.placeholder = "Search, or run a command";
  field.setAttribute("aria-label", field.placeholder);
  field.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") closeEarlyField();
    // The palette chooses what is found for the text that was entered.
    if (key === "Enter") field.readOnly = true;
  });
  field.addEventListener("blur", ({ relatedTarget: next }) => {
    if (document.activeElement !== field && !(next instanceof Element && next.closest("[role=dialog]"))) takeEarly();
  });
  document.body.append(field);
  field.focus();
}

/** Removes the field and gives the focus back. Returns whether there was one. */
export function closeEarlyField(): boolean {
  const taken = takeEarly();
  if (taken?.before instanceof HTMLElement) taken.before.focus();
  return taken !== undefined;
}

export const hasEarlyField = (): boolean => early !== undefined;

/** Removes the field. Returns what was typed into it. */
export function takeEarly() {
  if (!early) return undefined;
  const { field, before } = early;
  early = undefined;
  field.remove();
  return { before, text: field.value, isEntered: field.readOnly };
}
