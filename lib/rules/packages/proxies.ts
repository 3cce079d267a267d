/** Forward proxies: parses the targets of their requests and chooses the operator's proxy for each. */

export interface ProxyTarget {
  /** The host in lower case: an IPv6 address without brackets, an IPv4 address in its usual form. */
  host: string;
  port: number;
}

/** The proxies that the operator has set, for npm or in the environment. */
export interface Proxies {
  http?: string;
  https?: string;
  /** Hosts that are reached without a proxy: `example.com`, `.example.com`, `example.com:8080` or `*`. */
  direct: readonly string[];
}

/** Parses `host:port`, the target of a CONNECT request. */
export function connectTarget(authority: string): ProxyTarget | undefined {
  const [, host = "", port = ""] = /^([^\s/?#@\\]{1,255}):(\d{1,5})$/.exec(authority) ?? [];
  const url = host !== "" && URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  return url && targetOf(url, Number(port));
}

/** Parses an `http:` URL that a request has in place of a path. */
export function absoluteTarget(text: string): (ProxyTarget & { path: string }) | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:") return undefined;
  const target = targetOf(url, Number(url.port || "80"));
  return target && { ...target, path: `${url.pathname}${url.search}` };
}

/** Returns the target of a URL, for example a registry's. */
export function originTarget(text: string): ProxyTarget | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") return undefined;
  return targetOf(url, Number(url.port || (url.protocol === "http:" ? "80" : "443")));
}

function targetOf({ hostname }: URL, port: number): ProxyTarget | undefined {
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  return host === "" || port < 1 || port > 65_535 ? undefined : { host, port };
}

/** Returns `host:port` as URLs have it. */
export function authorityOf({ host, port }: ProxyTarget): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Returns the operator's proxy for a target, if there is one. */
export function proxyOf(
  target: ProxyTarget,
  kind: "http" | "https",
  { http, https, direct }: Proxies,
): string | undefined {
  return direct.some((entry) => isBelow(target, entry)) ? undefined : kind === "http" ? http : https;
}

function isBelow({ host, port }: ProxyTarget, entry: string): boolean {
  const [, name = "", only] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.trim().toLowerCase()) ?? [];
  if (only !== undefined && Number(only) !== port) return false;
  return name === "*" || (name !== "" && (host === name || host.endsWith(`.${name}`)));
}

/** Reads the proxies from npm's settings, or else from the environment. */
export function readProxies(
  npm: { proxy?: string; "https-proxy"?: string; noproxy?: string },
  environment: Readonly<Record<string, string | undefined>>,
): Proxies {
  const variable = (name: string): string | undefined => environment[name] || environment[name.toUpperCase()];
  const chosen = (...texts: (string | undefined)[]): string | undefined => {
    const first = texts.find((text) => text !== undefined && text !== "");
    return first === "false" || first === "null" ? undefined : first;
  };
  const http = chosen(npm.proxy, variable("http_proxy"));
  const https = chosen(npm["https-proxy"], npm.proxy, variable("https_proxy"));
  const direct = chosen(npm.noproxy, variable("no_proxy")) ?? "";
  return {
    ...(http !== undefined && { http }),
    ...(https !== undefined && { https }),
    direct: direct.split(/[\s,]+/).filter((entry) => entry !== ""),
  };
}
