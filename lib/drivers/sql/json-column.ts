/** Parses a JSON column. Only the drivers write these columns, so the value has the type that its writer stored. */
export function fromJson<T>(text: string): T {
  return JSON.parse(text) as T;
}

/** A record in which these members are JSON text. */
export type JsonRow<T, Json extends keyof T> = Omit<T, Json> & Record<Json, string>;
