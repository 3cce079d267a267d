/** Single-key shortcuts can be switched off (WCAG 2.1.4), because speech input would trigger them. */
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
    // Without storage the setting cannot be kept.
  }
}
