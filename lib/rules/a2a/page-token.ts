/** The last task of a page. Clients receive it as an opaque token and send it back to get the next page. */
export interface PageEnd {
  readonly status_at: string;
  readonly task_id: string;
}

export function encodePageEnd({ status_at, task_id }: PageEnd): string {
  return btoa(`${status_at} ${task_id}`).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns undefined for a text that is not such a token. */
export function decodePageEnd(token: string): PageEnd | undefined {
  if (!/^[\w-]+$/.test(token) || token.length % 4 === 1) return undefined;
  const [, status_at, task_id] = PAGE_END.exec(atob(token.replaceAll("-", "+").replaceAll("_", "/"))) ?? [];
  return status_at !== undefined && task_id !== undefined ? { status_at, task_id } : undefined;
}

const PAGE_END = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([\w-]{1,64})$/;
