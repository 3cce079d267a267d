/** Returns a whole number with its digits in groups of three: `1,284`. `Intl` takes tens of ms when it is first used. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");

/** Returns the count with the noun: `1 graph`, `1,284 runs`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}
