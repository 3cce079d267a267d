/** The steps that a newcomer has done already. The server knows of answers and deployments by itself. */
export interface FirstMinuteState {
  readonly deployment: string;
  readonly graph: string;
  readonly starters: readonly string[];
  readonly hasAsked: boolean;
  /** The newest thread of the graph. */
  readonly thread?: string;
  readonly hasSeenGraph: boolean;
}

/** A cookie, because the server renders the list with or without the steps: nothing appears or moves later. */
export const FIRST_MINUTE_COOKIE = "graphlib-first-minute";
export const GRAPH_SEEN = "graph";
const DISMISSED = "dismissed";
const YEAR_S = 31_536_000;

export const dismissFirstMinute = (): void => keep(DISMISSED);

/** Remembers that a graph was opened, unless the steps were dismissed or it is remembered already. */
export function rememberGraphSeen(): void {
  if (!document.cookie.includes(`${FIRST_MINUTE_COOKIE}=`)) keep(GRAPH_SEEN);
}

function keep(value: string): void {
  document.cookie = `${FIRST_MINUTE_COOKIE}=${value}; path=/; max-age=${YEAR_S}; samesite=strict`;
}
