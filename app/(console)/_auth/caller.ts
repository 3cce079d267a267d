import type { ConsoleCaller } from "@/lib/rules/http/console-caller.ts";

/** The caller as which the page calls a deployment. `custom`: by headers that the visitor entered. */
export type Caller = ConsoleCaller | "custom";
