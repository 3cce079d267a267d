/** Sets query parameters of the page's URL without a navigation; undefined removes one. */
export function replaceQuery(parts: Readonly<Record<string, string | undefined>>): void {
  const address = new URL(window.location.href);
  for (const [name, value] of Object.entries(parts)) {
    if (value === undefined) address.searchParams.delete(name);
    else address.searchParams.set(name, value);
  }
  window.history.replaceState(null, "", address);
}
