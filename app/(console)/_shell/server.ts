import { headers } from "next/headers";
import { publicUrl } from "#lib/rules/http/public-url.ts";
import { running } from "#lib/platform.ts";
import { ownOrigin } from "#lib/rules/http/hosts.ts";

/** The URLs of a deployment for callers elsewhere. */
export interface Addresses {
  /** `http://localhost:2024/agents/support-bot` */
  api: string;
  /** The root URL, which also serves the API of the deployment `default`. */
  bare?: string;
  /** `http://support-bot.agents.localhost:2024`; undefined if the host cannot have subdomains. */
  origin?: string;
}

export async function addressesOf(name: string): Promise<Addresses> {
  const root = publicUrl(await headers(), running().settings);
  const api = `${root}/agents/${encodeURIComponent(name)}`;
  return { api, origin: ownOrigin(root, name), ...(name === "default" && { bare: root }) };
}

/** Returns whether callers of the API need a key. */
export const isKeyed = (): boolean => running().settings.apiKey !== undefined;
