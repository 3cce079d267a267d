/** The ms that a dialog has to take the focus, once its code is there. Not every part takes it. */
const FOCUS_MS = 400;

const TAKEN = "input, textarea, select, [contenteditable=true], [role=dialog], [role=alertdialog], [role=menu]";

/** Returns whether keys belong to the focused field, dialog or menu, so that they are no shortcuts of the page. */
export function isTaken(focused: EventTarget | null): boolean {
  return focused instanceof Element && focused.closest(TAKEN) !== null;
}

/**
 * Holds the single keys of the page behind a dialog whose code is being loaded: they were meant for the dialog. Returns the
 * function to call when the code is there. The keys come back when the dialog takes the focus.
 */
export function holdKeys(): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener("keydown", onKeyDown, true);
  const release = (): void => window.removeEventListener("keydown", onKeyDown, true);
  return () => {
    window.addEventListener("focusin", release, { once: true });
    setTimeout(release, FOCUS_MS);
  };
}
