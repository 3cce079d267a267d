import { headers } from "next/headers";
import { publicUrl } from "@/lib/rules/public-url.ts";
import { running } from "@/lib/platform.ts";

/** The addresses of a deployment's API as people write them. */
export interface Addresses {
  /** `http://localhost:2024/agents/support-bot` */
  api: string;
  /** The same at the bare root, which only the deployment called `default` has. */
  bare?: string;
}

export async function addressesOf(name: string): Promise<Addresses> {
  const root = publicUrl(await headers(), running().settings);
  const api = `${root}/agents/${encodeURIComponent(name)}`;
  return name === "default" ? { api, bare: root } : { api };
}

/** Whether callers of the API need a key. */
export const isKeyed = (): boolean => running().settings.apiKey !== undefined;
