import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isStarted } from "./platform.ts";

/** Starts the platform of a process that Next has started. Call it in the project's folder. */
export async function startUnderNext(): Promise<void> {
  if (isStarted()) return;
  // Node loads it, not Next: drivers are native, and the files of workers are found beside the platform's own.
  const file = pathToFileURL(join(process.cwd(), "lib/compose/platform.ts")).href;
  const { startPlatform } = (await import(/* turbopackIgnore: true */ file)) as typeof import("./compose/platform.ts");
  console.warn("\n  Next serves alone, without the checks of `npm start`: let only this machine reach it.\n");
  await startPlatform();
}
