import { readIoSchemas } from "@/lib/engine/assistants.ts";
import type { Deployment } from "@/lib/engine/ports/ports.ts";

/** Undefined while the worker cannot say, or cannot read it. */
export async function inputSchemaOf(deployment: Deployment, graph: string): Promise<unknown> {
  if (deployment.worker.state().status !== "ready") return undefined;
  try {
    return (await readIoSchemas(deployment, graph)).input;
  } catch {
    return undefined;
  }
}
