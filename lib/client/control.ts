import type { DeploymentCreate, DeploymentPatch, DeploymentRecord } from "../protocol/control.ts";
import type { PreflightAnswer, PreflightRequest } from "../protocol/preflight.ts";
import type { PushDelivery } from "../protocol/push-deliveries.ts";
import type { LogLine, Revision } from "../protocol/revisions.ts";
import type { Variable } from "../protocol/variables.ts";
import { accepted, RequestFailure } from "./refusal.ts";

const UNCHANGED = "The server can't be reached. Is it running? Nothing was changed.";

async function call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const init: RequestInit = { method, signal: signal ?? null };
  if (method !== "GET" && method !== "DELETE") {
    init.headers = { "content-type": "application/json" };
    init.body = JSON.stringify(body ?? {});
  }
  return await accepted(fetch(`/api${path}`, init), UNCHANGED);
}

/** Casts the answer: the server has the same version as this page. */
async function json<T>(answer: Promise<Response>): Promise<T> {
  return (await (await answer).json()) as T;
}

const at = (name: string): string => `/deployments/${encodeURIComponent(name)}`;

/** Calls of the control plane by the console's pages. All of them throw `RequestFailure` or `AbortError`. */
export const control = {
  preflight: (request: Partial<PreflightRequest>, signal: AbortSignal) =>
    json<PreflightAnswer>(call("POST", "/preflight", request, signal)),
  get: (name: string) => json<DeploymentRecord>(call("GET", at(name))),
  create: (deployment: DeploymentCreate) => json<DeploymentRecord>(call("POST", "/deployments", deployment)),
  update: (name: string, patch: DeploymentPatch) => json<DeploymentRecord>(call("PATCH", at(name), patch)),
  async remove(name: string): Promise<void> {
    await call("DELETE", `${at(name)}?confirm=${encodeURIComponent(name)}`);
  },
  stop: (name: string) => json<DeploymentRecord>(call("POST", `${at(name)}/stop`)),
  start: (name: string) => json<DeploymentRecord>(call("POST", `${at(name)}/start`)),
  redeploy: (name: string, what: { upload_id?: string } = {}) =>
    json<Revision>(call("POST", `${at(name)}/revisions`, what)),
  cancel: (name: string, revision: number) => json<Revision>(call("POST", `${at(name)}/revisions/${revision}/cancel`)),
  rollBack: (name: string, revision: number, force = false) =>
    json<Revision>(call("POST", `${at(name)}/rollback`, { revision, force })),
  setVariables: (
    name: string,
    patch: { variables?: Record<string, string | null>; env_file?: string; plain?: string[] },
  ) => json<Variable[]>(call("PATCH", `${at(name)}/environment`, patch)),
  makeHook: (name: string) => json<{ url: string; secret: string }>(call("POST", `${at(name)}/hook`)),
  async removeHook(name: string): Promise<void> {
    await call("DELETE", `${at(name)}/hook`);
  },
  deliveries: (name: string, assistant: string) =>
    json<PushDelivery[]>(call("GET", `${at(name)}/a2a/deliveries?assistant_id=${encodeURIComponent(assistant)}`)),
  lines: (path: string, after: number, limit: number) =>
    json<LogLine[]>(call("GET", `${path}?after=${after}&limit=${limit}`)),
  upload: (file: Blob) =>
    json<{ upload_id: string; bytes: number }>(
      accepted(
        fetch("/api/uploads", { method: "PUT", headers: { "content-type": "application/octet-stream" }, body: file }),
        UNCHANGED,
      ),
    ),
};

/** Returns the message to show for an error; undefined for an aborted request. */
export function failureMessage(thrown: unknown): string | undefined {
  if (thrown instanceof RequestFailure) return thrown.message;
  if (thrown instanceof DOMException && thrown.name === "AbortError") return undefined;
  return "Something went wrong in this page. Reload it, then try again.";
}
