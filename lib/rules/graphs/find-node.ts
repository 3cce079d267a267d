/**
 * Returns the node that is meant by a part of its name: the one of this name, else one whose name begins so, else one with
 * these words in it or in the names of the subgraphs around it. Starts and ends are passed over. Total.
 */
export function findNode(paths: readonly string[], words: string): string | undefined {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return undefined;
  const nodes = paths.filter((path) => !/(?:^|:)__(?:start|end)__$/.test(path));
  const named = nodes.map((path) => ({ path, name: path.slice(path.lastIndexOf(":") + 1).toLowerCase() }));
  const found =
    named.find(({ name }) => name === wanted) ??
    named.find(({ name }) => name.startsWith(wanted)) ??
    named.find(({ name }) => name.includes(wanted)) ??
    named.find(({ path }) => path.toLowerCase().includes(wanted));
  return found?.path;
}
