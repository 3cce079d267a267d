/** A page of what a search has found. */
export interface SearchPage<T> {
  items: T[];
  /** How many there are on all pages. */
  total: number;
  /** Offset of the next page, when there is one. */
  next?: number;
}

export function searchPage<T>(items: T[], total: number, offset: number): SearchPage<T> {
  const end = offset + items.length;
  return { items, total, next: end < total ? end : undefined };
}

/** The members of an object that are asked for; all when `fields` is left out. */
export function selectFields<T extends object>(value: T, fields: readonly string[] | undefined): Partial<T>;
export function selectFields(value: object, fields: readonly string[] | undefined): object {
  if (!fields) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => fields.includes(name)));
}
