import type { Operation } from "./operation.ts";

export const systemOperations = {
  ok: { method: "GET", path: "/ok", access: "open", answer: "json", summary: "Health of the deployment" },
  info: { method: "GET", path: "/info", access: "open", answer: "json", summary: "Versions and capabilities" },
} as const satisfies Record<string, Operation>;
