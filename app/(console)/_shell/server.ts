import { headers } from "next/headers";
import { publicUrl } from "@/lib/rules/http/public-url.ts";
import { running } from "@/lib/platform.ts";
import { ownOrigin } from "@/lib/rules/http/hosts.ts";

/** The addresses of a deployment's API as people write them. */
export interface Addresses {
  /** `http://localhost:2024/agents/support-bot` */
  api: string;
  /** The same at the bare root, which only the deployment called `default` has. */
  bare?: string;
  /** `http://support-bot.agents.localhost:2024`, where the host can have names below it. */
  origin?: string;
}

export async function addressesOf(name: string): Promise<Addresses> {
  const root = publicUrl(await headers(), running().settings);
  const api = `${root}/agents/${encodeURIComponent(name)}`;
  return { api, origin: ownOrigin(root, name), ...(name === "default" && { bare: root }) };
}

/** Whether callers of the API need a key. */
export const isKeyed = (): boolean => running().settings.apiKey !== undefined;
