const STORAGE_KEY = "graphlib.palette";
const MOST_USED = 20;

/** Returns the ids of the choices that were made last, the newest first. */
export function usedChoices(): readonly string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(list) ? list.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

export function rememberChoice(id: string): void {
  try {
    const list = [id, ...usedChoices().filter((one) => one !== id)].slice(0, MOST_USED);
    localStorage.setItem(STORAGE_KEY, JSON.stringify(list));
  } catch {
    // Without storage, the order of equal matches does not follow their use.
  }
}
