import type { ResponseError } from "@/lib/rules/a2a/read-response.ts";

const HINTS: Readonly<Record<number, string>> = {
  [-32000]: "The agent does not know who is calling. Sign in to the console, or give the headers that it expects.",
  [-32001]: "This assistant has no such task, or not for this caller. Look for it under Tasks.",
  [-32002]: "Only what works or waits can be cancelled: this task is over.",
  [-32003]: "Set http.a2a.push_notifications: true in graphlib.json, and GRAPHLIB_A2A_PUSH=true for the server.",
  [-32004]:
    "A task that is over takes no message and tells nothing more, and an extended card is there only where the configuration says what it holds.",
  [-32005]: "The card says which media types this agent takes.",
  [-32007]: "Nobody has said what callers see beside: extended, in the a2a section of graphlib.json.",
  [-32009]: "Versions 0.3 and 1.0 are spoken here.",
  [-32601]: "Each generation has method names of its own.",
  [-32602]: "Mend what is named, in the form or as “All parameters”.",
  [-32603]: "The server log says more, by the request id.",
};

/** Returns what to do about an error; undefined if its own message says that. */
export function failureHint({ code }: ResponseError): string | undefined {
  return HINTS[code];
}
