/** Returns the path of a deployment's API on the same server. */
export const apiBase = (deployment: string): string => `/agents/${encodeURIComponent(deployment)}`;
