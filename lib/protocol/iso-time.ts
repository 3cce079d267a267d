/** A time in ms since the epoch as text, in UTC with milliseconds (ISO 8601). */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
