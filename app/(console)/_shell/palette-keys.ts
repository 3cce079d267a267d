/** Apple's keyboards have `Cmd K`: there, `Ctrl K` deletes the rest of a line. */
const isApple = (): boolean => /Mac|iP(hone|ad|od)/.test(navigator.platform);

/** The keys of the palette, as this device's keyboard names them. */
export const paletteKeys = (): string => (isApple() ? "⌘ K" : "Ctrl K");

export function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const isHeld = isApple() ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return isHeld && !altKey && !shiftKey && key.toLowerCase() === "k";
}
