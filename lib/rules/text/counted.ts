/** Returns the count with the noun: `1 graph`, `1,284 runs`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
