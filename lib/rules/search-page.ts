/** A page of the results of a search. */
export interface SearchPage<T> {
  items: T[];
  /** The number of items on all pages; absent on a page by cursor. */
  total?: number;
  /** The offset of the next page; absent on the last one. */
  next?: number;
  /** The cursor of the next page, which is there while more items follow. */
  cursor?: string;
}

export function searchPage<T>(items: T[], total: number, offset: number): SearchPage<T> {
  const end = offset + items.length;
  return { items, total, next: end < total ? end : undefined };
}

/** Returns the listed members of an object; all if `fields` is absent. */
export function selectFields<T extends object>(value: T, fields: readonly string[] | undefined): Partial<T>;
export function selectFields(value: object, fields: readonly string[] | undefined): object {
  if (!fields) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => fields.includes(name)));
}
