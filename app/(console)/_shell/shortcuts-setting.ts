/** Single keys can be switched off (WCAG 2.1.4): a voice that dictates would press them. */
const STORAGE_KEY = "graphlib.keys";

export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== "off";
  } catch {
    return true;
  }
}

export function setShortcutsOn(on: boolean): void {
  try {
    localStorage.setItem(STORAGE_KEY, on ? "on" : "off");
  } catch {
    // Without storage the setting holds for no longer than its page, which is to say not at all.
  }
}
