import type * as z from "zod";
import { Fault } from "../protocol/faults.ts";

/** Returns the parameters of a URL's query. Repeated names become lists. */
export function queryOf(url: string): Record<string, string | string[]> {
  const query = new Map<string, string | string[]>();
  for (const [name, value] of new URL(url, "http://localhost").searchParams) {
    const before = query.get(name);
    query.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(query);
}

/** A response lists at most this many issues: a long list may have ten thousand. */
const MOST_ISSUES = 50;

/** Parses a value. Faults: `invalid`, with an issue for each wrong field. */
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

/** Returns what was expected. For a union, that is what each of its members would have accepted. */
function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_union") return issue.message;
  const members = issue.errors.flatMap((branch) => branch.slice(0, 1).map(expectation));
  return members.length > 0 ? [...new Set(members)].join(", or ") : issue.message;
}
