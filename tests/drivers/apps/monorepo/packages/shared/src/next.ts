import isNumber from "is-number";

export function next(n: unknown): number {
  return isNumber(n) ? Number(n) + 1 : 0;
}
