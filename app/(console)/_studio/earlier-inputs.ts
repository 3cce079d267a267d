/** The inputs that were sent from this browser, for as long as the tab is open. */
const MOST = 20;
/** Longer inputs are not kept. */
const LONGEST = 100_000;

const keyOf = (deployment: string, graph: string): string => `graphlib.inputs ${deployment} ${graph}`;

/** Returns the inputs, newest first. */
export function earlierInputs(deployment: string, graph: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(keyOf(deployment, graph)) ?? "[]");
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

export function rememberInput(deployment: string, graph: string, input: unknown): void {
  try {
    const text = JSON.stringify(input);
    if (text === undefined || text.length > LONGEST) return;
    const others = earlierInputs(deployment, graph).filter((one) => JSON.stringify(one) !== text);
    sessionStorage.setItem(keyOf(deployment, graph), JSON.stringify([input, ...others].slice(0, MOST)));
  } catch {
    // Without session storage there is no list of earlier inputs.
  }
}
