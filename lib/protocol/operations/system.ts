import type { Operation } from "./operation.ts";

const open = { method: "GET", open: true, codeless: true } as const;

export const systemOperations = {
  getHealth: { ...open, path: "/ok", summary: "Health of the deployment" },
  getInfo: { ...open, path: "/info", summary: "Versions and capabilities" },
} as const satisfies Record<string, Operation>;
