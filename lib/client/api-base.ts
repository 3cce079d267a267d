/** The path of a deployment's API, from a page of the same server. */
export const apiBase = (deployment: string): string => `/agents/${encodeURIComponent(deployment)}`;
