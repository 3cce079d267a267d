import type { ConsoleCaller } from "@/lib/rules/http/console-caller.ts";

/** `own`: by headers that the visitor gave. */
export type Caller = ConsoleCaller | "own";
