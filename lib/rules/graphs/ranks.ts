/** An edge between two nodes, given by their numbers. */
export interface Link {
  from: number;
  to: number;
}

/** Returns for each edge whether it must be turned round so that no cycle is left. Loops of one node are not turned. */
export function backLinks(count: number, links: readonly Link[]): boolean[] {
  const outgoing = linksFrom(count, links);
  const turned = links.map(() => false);
  const state = new Uint8Array(count);
  const [ACTIVE, DONE] = [1, 2];
  // An explicit stack, because a chain of nodes may be longer than the stack of calls.
  for (let root = 0; root < count; root++) {
    if (state[root] === DONE) continue;
    const path: { node: number; next: number }[] = [{ node: root, next: 0 }];
    state[root] = ACTIVE;
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const index = outgoing[top.node]?.[top.next++];
      if (index === undefined) {
        state[top.node] = DONE;
        path.pop();
        continue;
      }
      const to = links[index]?.to ?? 0;
      if (state[to] === ACTIVE) turned[index] = to !== top.node;
      else if (state[to] !== DONE) {
        state[to] = ACTIVE;
        path.push({ node: to, next: 0 });
      }
    }
  }
  return turned;
}

/** Returns the rank of each node: the length of the longest path to it. The links have no cycle but loops of one node. */
export function ranksOf(count: number, links: readonly Link[]): Int32Array {
  const outgoing = linksFrom(count, links);
  const missing = new Int32Array(count);
  for (const { from, to } of links) if (from !== to) missing[to] = (missing[to] ?? 0) + 1;
  const ranks = new Int32Array(count);
  const order = [...missing.keys()].filter((node) => missing[node] === 0);
  for (let at = 0; at < order.length; at++) {
    const node = order[at] ?? 0;
    for (const index of outgoing[node] ?? []) {
      const to = links[index]?.to ?? 0;
      if (to === node) continue;
      ranks[to] = Math.max(ranks[to] ?? 0, (ranks[node] ?? 0) + 1);
      missing[to] = (missing[to] ?? 0) - 1;
      if (missing[to] === 0) order.push(to);
    }
  }
  pullDown(order, outgoing, links, ranks);
  return ranks;
}

/** Moves nodes that nothing leads to beside those that they lead to. */
function pullDown(
  order: readonly number[],
  outgoing: readonly (readonly number[])[],
  links: readonly Link[],
  ranks: Int32Array,
): void {
  const entered = new Set(links.filter(({ from, to }) => from !== to).map(({ to }) => to));
  for (const node of order) {
    if (entered.has(node)) continue;
    const below = (outgoing[node] ?? []).map((index) => links[index]?.to ?? node).filter((to) => to !== node);
    const nearest = below.reduce((least, to) => Math.min(least, ranks[to] ?? 0), Infinity);
    if (nearest < Infinity) ranks[node] = Math.max(0, nearest - 1);
  }
}

/** Returns the numbers of the links that leave each node. */
function linksFrom(count: number, links: readonly Link[]): number[][] {
  const outgoing = Array.from({ length: count }, (): number[] => []);
  for (const [index, { from }] of links.entries()) outgoing[from]?.push(index);
  return outgoing;
}
