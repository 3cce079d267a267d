import type { ConsoleCaller } from "#lib/rules/http/console-caller.ts";

/** The caller as which a page calls a deployment. `custom`: by headers that the visitor entered. */
export type Caller = Exclude<ConsoleCaller, "closed" | "disabled"> | "custom";
