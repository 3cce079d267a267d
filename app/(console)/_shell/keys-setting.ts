/** Single keys can be switched off (WCAG 2.1.4): a voice that dictates would press them. */
const STORED = "graphlib.keys";

export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(STORED) !== "off";
  } catch {
    return true;
  }
}

export function setKeysOn(on: boolean): void {
  try {
    localStorage.setItem(STORED, on ? "on" : "off");
  } catch {
    // Without storage the setting holds for no longer than its page, which is to say not at all.
  }
}
