import { isAddress, isKnownHost } from "./hosts.ts";
import { isForeign } from "./origins.ts";

/** The parts of a request that show where it comes from. */
export interface ControlRequest {
  method: string;
  /** The `Host`, `Origin`, `Sec-Fetch-Site` and `Content-Type` headers as they were sent. */
  host: string | null;
  origin: string | null;
  site: string | null;
  contentType: string | null;
  /** The configured public address of this server. */
  publicUrl?: string;
}

const WITHOUT_BODY = new Set(["GET", "HEAD", "OPTIONS", "DELETE"]);

/**
 * Returns why a request may not use the control plane, whatever key it has; undefined when it may. A page of another
 * site must not deploy code on the machine of a developer who opens it: by a cross-origin request, by a form, or by a
 * host name that it points at this server (DNS rebinding). Total.
 */
export function refuseCaller(request: ControlRequest): string | undefined {
  const { method, host, origin, site, contentType, publicUrl } = request;
  if (!isKnownHost(host, publicUrl) && !isAddress(host)) {
    return `This server does not go by the name "${host ?? ""}": set PUBLIC_URL to the address that it is reached at`;
  }
  if (isForeign({ host, origin, site }, publicUrl)) return "Pages of other origins may not do this";
  if (WITHOUT_BODY.has(method)) return undefined;
  if (contentType === null || isForm(contentType)) return "Send JSON, with the header content-type: application/json";
  return undefined;
}

/** Returns whether a page of another origin can send this type without a CORS preflight. */
function isForm(contentType: string): boolean {
  return /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i.test(contentType);
}

export function isJson(contentType: string | null): boolean {
  return /^\s*application\/([\w.+-]+\+)?json\s*(;|$)/i.test(contentType ?? "");
}
