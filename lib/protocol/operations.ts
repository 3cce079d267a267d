import { a2aOperations } from "./operations/a2a.ts";
import { assistantOperations } from "./operations/assistant.ts";
import { cronOperations } from "./operations/cron.ts";
import type { Operation } from "./operations/operation.ts";
import { runOperations } from "./operations/run.ts";
import { threadOperations } from "./operations/thread.ts";
import { storeOperations } from "./operations/store.ts";
import { threadStreamOperations } from "./operations/thread-stream.ts";
import { systemOperations } from "./operations/system.ts";

/** All operations of a deployment's API, keyed by name. */
export const operations = {
  ...systemOperations,
  ...assistantOperations,
  ...threadOperations,
  ...threadStreamOperations,
  ...runOperations,
  ...storeOperations,
  ...cronOperations,
  ...a2aOperations,
} as const satisfies Record<string, Operation>;
