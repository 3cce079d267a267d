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
const IP_LITERAL = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/i;

/**
 * Why a request may not drive the control plane, whatever key it has; undefined when it may. A page elsewhere must not
 * deploy code on the machine of a developer who looks at it: not by a foreign origin, not by a form, and not by a name
 * of its own that leads here (DNS rebinding). Total.
 */
export function refuseCaller(caller: Caller): string | undefined {
  const { method, host, origin, site, contentType, publicUrl } = caller;
  const own = URL.canParse(publicUrl ?? "") ? new URL(publicUrl ?? "") : undefined;
  if (!isOwnHost(host, own?.host)) {
    return `This server does not go by the name "${host ?? ""}": set PUBLIC_URL to the address that it is reached at`;
  }
  if (site !== null && site !== "same-origin" && site !== "none") return "Pages of other origins may not do this";
  if (origin !== null && !isOwnOrigin(origin, host, own)) return "Pages of other origins may not do this";
  if (WITHOUT_BODY.has(method)) return undefined;
  if (contentType === null || isForm(contentType)) return "Send JSON, with the header content-type: application/json";
  return undefined;
}

function isOwnHost(host: string | null, own: string | undefined): boolean {
  if (host === null) return false;
  if (host.toLowerCase() === own?.toLowerCase()) return true;
  const name = host.replace(/:\d*$/, "").toLowerCase();
  return name === "localhost" || name.endsWith(".localhost") || IP_LITERAL.test(name);
}

function isOwnOrigin(origin: string, host: string | null, own: URL | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const given = new URL(origin);
  // Browsers leave the port out where it is the scheme's own.
  const here = `${given.protocol}//${host}`;
  return given.origin === own?.origin || (URL.canParse(here) && given.origin === new URL(here).origin);
}

/** What a page elsewhere can send without asking first. */
function isForm(contentType: string): boolean {
  return /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i.test(contentType);
}

export function isJson(contentType: string | null): boolean {
  return /^\s*application\/([\w.+-]+\+)?json\s*(;|$)/i.test(contentType ?? "");
}
