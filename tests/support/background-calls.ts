/** Calls a deployment all the time while a test does something else. */
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

export interface CallReport {
  /** `what status` of each response that was not 200. */
  unexpected: string[];
  /** The duration of each call, in ms. */
  durations: number[];
}

export interface RunningCalls {
  /** Stops calling; resolves when the last response has come. */
  stop(): Promise<CallReport>;
}

export interface CallOptions {
  /** Name of the deployment; it serves a graph called `echo`. */
  deployment: string;
  headers?: Record<string, string>;
  /** Milliseconds from a response to the next call. */
  pauseMs?: number;
}

/** Runs a graph, lists deployments and checks the health, one after the other, until it is stopped. */
export function startCalls(url: string, { deployment, headers = {}, pauseMs }: CallOptions): RunningCalls {
  const report: CallReport = { unexpected: [], durations: [] };
  const agent = `${url}/agents/${deployment}`;
  const json = { ...headers, "content-type": "application/json" };
  const body = JSON.stringify({ assistant_id: "echo", input: { messages: [{ role: "user", content: "still here" }] } });
  const calls: [what: string, path: string, init: RequestInit][] = [
    ["run", `${agent}/runs/wait`, { method: "POST", headers: json, body }],
    ["health", `${url}/ok`, {}],
    ["list", `${url}/api/deployments`, { headers }],
    ["deployment", `${agent}/info`, { headers }],
    ["assistants", `${agent}/assistants/search`, { method: "POST", headers: json, body: "{}" }],
  ];
  let stopped = false;
  const going = (async () => {
    while (!stopped) {
      for (const [what, path, init] of calls) {
        const begun = performance.now();
        const status = await fetch(path, init).then(
          async (answer) => {
            await answer.arrayBuffer();
            return String(answer.status);
          },
          (error: unknown) => `failed (${String(error)})`,
        );
        report.durations.push(performance.now() - begun);
        if (status !== "200") report.unexpected.push(`${what} ${status}`);
        if (pauseMs !== undefined) await sleep(pauseMs);
      }
    }
  })();
  return {
    async stop() {
      stopped = true;
      await going;
      return report;
    },
  };
}
