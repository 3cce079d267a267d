/** A JSON column holds what this floor wrote there, as the type of its writer; the database never makes it up. */
export function fromJson<T>(text: string): T {
  return JSON.parse(text) as T;
}
