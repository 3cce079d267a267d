import type * as z from "zod";
import { Fault } from "../protocol/faults.ts";

/** Repeated keys become lists. */
export function queryOf(url: string): Record<string, string | string[]> {
  const query = new Map<string, string | string[]>();
  for (const [name, value] of new URL(url, "http://localhost").searchParams) {
    const before = query.get(name);
    query.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(query);
}

/** An answer names no more of what is wrong: a list can be wrong ten thousand times. */
const MOST_ISSUES = 50;

/** Faults: `invalid`, naming each wrong field. */
export function parse<S extends z.ZodType>(schema: S, value: unknown, where: string): z.infer<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues
    .slice(0, MOST_ISSUES)
    .map((issue) => ({ path: issue.path.join("."), message: expectation(issue) }));
  const first = issues[0];
  const message = `Invalid ${where}: ${first?.path ? `${first.path}: ` : ""}${first?.message ?? "rejected"}`;
  throw new Fault("invalid", message, { issues });
}

/** Of a union, what each of its members would have accepted. */
function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_union") return issue.message;
  const members = issue.errors.flatMap((branch) => branch.slice(0, 1).map(expectation));
  return members.length > 0 ? [...new Set(members)].join(", or ") : issue.message;
}
