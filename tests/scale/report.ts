/** Prints what was proved, or what was found instead. `figures` are a part of a sentence. */
export type Report = (name: string, faults: readonly string[], figures: string) => void;

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
