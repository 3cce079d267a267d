/** The most processes of a deployment. `GRAPHLIB_WORKERS` has the same limit. */
export const MOST_WORKERS = 16;
