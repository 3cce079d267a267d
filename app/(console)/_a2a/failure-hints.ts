/** Hints that say what to do about an error, by its code. The messages of other errors say that themselves. */
export const FAILURE_HINTS: Readonly<Record<number, string>> = {
  [-32000]: "The caller is not authenticated. Sign in to the console, or enter the headers that the agent expects.",
  [-32001]: "This assistant has no such task, or this caller may not see it. Look for it under Tasks.",
  [-32002]: "Only a working or waiting task can be cancelled. This one has ended.",
  [-32003]: "Set http.a2a.push_notifications: true in graphlib.json, and GRAPHLIB_A2A_PUSH=true for the server.",
  [-32004]:
    "A task that has ended accepts no messages and has no more events. An extended card exists only if it is configured.",
  [-32005]: "The card lists the media types that this agent accepts.",
  [-32007]: 'The extended card is not configured: set "extended" in the a2a section of graphlib.json.',
  [-32009]: "The supported versions are 0.3 and 1.0.",
  [-32601]: "A2A 0.3 and 1.0 have different method names.",
  [-32602]: "Fix the parameter that the error names, in the form or under “All parameters”.",
  [-32603]: "The server log has the details under the request id.",
};
