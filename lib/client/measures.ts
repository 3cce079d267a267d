/** Formats durations, times and sizes for the console, and reads numbers. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns a duration, such as `412 ms`, `3.8 s`, `2 min 5 s` or `1.5 h`. */
export function duration(ms: number): string {
  if (ms < 1) return "under 1 ms";
  // A unit ends where its text would round up to the next one: there is no "1000 ms", "60.0 s" or "60 min".
  if (ms < SECOND - 0.5) return `${Math.round(ms)} ms`;
  if (ms < MINUTE - 50) return `${(ms / SECOND).toFixed(1)} s`;
  const seconds = Math.round(ms / SECOND);
  if (seconds >= HOUR / SECOND) return `${(ms / HOUR).toFixed(1)} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Returns the time for which something has been going on, in whole seconds: `0 s…`, `42 s…`, `3 min 5 s…`, `2 h 7 min…`. */
export function elapsed(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / SECOND));
  if (whole < 60) return `${whole} s…`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s…` : `${Math.floor(minutes / 60)} h ${minutes % 60} min…`;
}

/** Returns a time relative to now, such as `just now`, `2 min ago` or `in 4 s`. */
export function relativeTime(at: number, now: number): string {
  const away = Math.abs(now - at);
  if (away < 2 * SECOND) return "just now";
  const words = coarse(away);
  return at <= now ? `${words} ago` : `in ${words}`;
}

function coarse(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  return ms < DAY ? `${Math.floor(ms / HOUR)} h` : `${Math.floor(ms / DAY)} d`;
}

/** Returns a size, such as `812 B`, `34 KB` or `1.2 MB`. */
export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1023.5 ? `${Math.round(kilobytes)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}

/** Returns the whole number from 1 to `most` that was typed; undefined for other text. */
export function wholeNumber(typed: string, most: number): number | undefined {
  const number = positiveNumber(typed);
  return number !== undefined && Number.isInteger(number) && number <= most ? number : undefined;
}

/** Returns the number above 0 that was typed; undefined for other text, such as an empty field. */
export function positiveNumber(typed: string): number | undefined {
  const number = Number(typed);
  return number > 0 && number < Infinity ? number : undefined;
}
