import { isAddress, isKnownHost } from "./hosts.ts";
import { isForeign } from "./origins.ts";

/** What is to be known of a request to judge where it comes from. */
export interface Caller {
  method: string;
  /** `Host`, `Origin`, `Sec-Fetch-Site` and `Content-Type` as they were sent. */
  host: string | null;
  origin: string | null;
  site: string | null;
  contentType: string | null;
  /** The address under which others reach this server, where that is configured. */
  publicUrl?: string;
}

const WITHOUT_BODY = new Set(["GET", "HEAD", "OPTIONS", "DELETE"]);

/**
 * Why a request may not drive the control plane, whatever key it has; undefined when it may. A page elsewhere must not
 * deploy code on the machine of a developer who looks at it: not by a foreign origin, not by a form, and not by a name
 * of its own that leads here (DNS rebinding). Total.
 */
export function refuseCaller(caller: Caller): string | undefined {
  const { method, host, origin, site, contentType, publicUrl } = caller;
  if (!isKnownHost(host, publicUrl) && !isAddress(host)) {
    return `This server does not go by the name "${host ?? ""}": set PUBLIC_URL to the address that it is reached at`;
  }
  if (isForeign({ host, origin, site }, publicUrl)) return "Pages of other origins may not do this";
  if (WITHOUT_BODY.has(method)) return undefined;
  if (contentType === null || isForm(contentType)) return "Send JSON, with the header content-type: application/json";
  return undefined;
}

/** What a page elsewhere can send without asking first. */
function isForm(contentType: string): boolean {
  return /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i.test(contentType);
}

export function isJson(contentType: string | null): boolean {
  return /^\s*application\/([\w.+-]+\+)?json\s*(;|$)/i.test(contentType ?? "");
}
