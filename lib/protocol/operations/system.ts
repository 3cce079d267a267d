import type { Operation } from "./operation.ts";

const open = { method: "GET", access: "open", codeless: true, answer: "json" } as const;

export const systemOperations = {
  ok: { ...open, path: "/ok", summary: "Health of the deployment" },
  info: { ...open, path: "/info", summary: "Versions and capabilities" },
} as const satisfies Record<string, Operation>;
