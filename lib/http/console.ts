import { listDeployments } from "../engine/deployments.ts";
import type { Platform } from "../engine/ports.ts";
import type { DeploymentView } from "../protocol/deployments.ts";
import { encodeSse, HEARTBEAT, HEARTBEAT_MS } from "../protocol/sse.ts";
import { holderOf, requireKey } from "./auth.ts";
import type { Surroundings } from "./settings.ts";
import { faultResponse, toFault } from "./faults.ts";
import { byteStream, STREAM_HEADERS } from "./sse.ts";

/**
 * `GET /api/deployments/events`: the name and status of every deployment, at once and after every change. The console's
 * pages follow it to stay true. No other origin may read it.
 */
export function deploymentEvents({ platform, settings }: Surroundings, request: Request): Response {
  try {
    requireKey(request, settings.apiKey, holderOf(request, settings.apiKey));
  } catch (thrown) {
    const requestId = platform.newId();
    return faultResponse(toFault(thrown, requestId), requestId);
  }
  const body = byteStream((signal) => statuses(platform, signal), {
    keepAlive: { text: HEARTBEAT, everyMs: HEARTBEAT_MS },
  });
  return new Response(body, { headers: STREAM_HEADERS });
}

/** What happens between two reads is told as one: only the newest state counts. */
async function* statuses(platform: Platform, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  let wake: () => void = () => undefined;
  const stop = platform.onChange(() => wake());
  signal.addEventListener("abort", () => {
    stop();
    wake();
  });
  let told: string | undefined;
  while (!signal.aborted) {
    const changed = new Promise<void>((resolve) => (wake = resolve));
    const now = JSON.stringify(listDeployments(platform).map(statusOf));
    if (now !== told) yield encodeSse({ event: "deployments", data: now });
    else await changed;
    told = now;
  }
}

function statusOf({ name, status, worker }: DeploymentView) {
  return { name, status, worker: worker.status };
}
