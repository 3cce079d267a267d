/** Returns the path of a deployment's overview. The paths of its other pages are below it. */
export const deploymentPath = (name: string): string => `/deployments/${encodeURIComponent(name)}`;
