/** The inputs of the form and the messages that were sent from this tab, for as long as it is open. */
type Kind = "inputs" | "messages";

const MOST = 20;
/** Longer inputs are not kept. */
const LONGEST = 100_000;

const keyOf = (kind: Kind, deployment: string, graph: string): string => `graphlib.${kind} ${deployment} ${graph}`;

/** Returns the inputs, newest first. */
export function earlierInputs(kind: Kind, deployment: string, graph: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(keyOf(kind, deployment, graph)) ?? "[]");
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

export function rememberInput(kind: Kind, deployment: string, graph: string, input: unknown): void {
  try {
    const text = JSON.stringify(input);
    if (text === undefined || text.length > LONGEST) return;
    const others = earlierInputs(kind, deployment, graph).filter((one) => JSON.stringify(one) !== text);
    sessionStorage.setItem(keyOf(kind, deployment, graph), JSON.stringify([input, ...others].slice(0, MOST)));
  } catch {
    // Without session storage there is no list of earlier inputs.
  }
}
