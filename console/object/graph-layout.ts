/** An object in a graph of owners and dependents. */
export interface GraphNode {
  readonly uid: string;
  readonly owners: readonly string[];
}

export interface PlacedNode<N> {
  readonly node: N;
  readonly column: number;
  readonly row: number;
}

export interface GraphLayout<N> {
  readonly nodes: readonly PlacedNode<N>[];
  readonly columns: number;
  readonly rows: number;
}

/** The ancestors and descendants of a node. Other dependents of the ancestors are omitted. */
export function relatives<N extends GraphNode>(nodes: ReadonlyMap<string, N>, uid: string): N[] {
  const found = new Set<string>();
  const climb = (current: string) => {
    if (found.has(current)) return;
    found.add(current);
    for (const owner of nodes.get(current)?.owners ?? []) climb(owner);
  };
  climb(uid);
  const dependents = new Map<string, string[]>();
  for (const node of nodes.values()) {
    for (const owner of node.owners) dependents.set(owner, [...(dependents.get(owner) ?? []), node.uid]);
  }
  const queue = [uid];
  const below = new Set(queue);
  for (const current of queue) {
    for (const dependent of dependents.get(current) ?? []) {
      if (below.has(dependent)) continue;
      below.add(dependent);
      queue.push(dependent);
    }
  }
  return [...new Set([...found, ...below])].flatMap((id) => nodes.get(id) ?? []);
}

/** Places owners to the left of their dependents, and dependents in the order of their owners. */
export function layoutGraph<N extends GraphNode>(nodes: readonly N[]): GraphLayout<N> {
  const byUid = new Map(nodes.map((node) => [node.uid, node]));
  const columns = new Map<string, number>();
  const columnOf = (node: N, path: readonly string[] = []): number => {
    const known = columns.get(node.uid);
    // No server rejects owner references that form a cycle.
    if (known !== undefined || path.includes(node.uid)) return known ?? 0;
    const owners = node.owners.flatMap((uid) => byUid.get(uid) ?? []);
    const column = Math.max(-1, ...owners.map((owner) => columnOf(owner, [...path, node.uid]))) + 1;
    columns.set(node.uid, column);
    return column;
  };
  for (const node of nodes) columnOf(node);
  const placed: PlacedNode<N>[] = [];
  const seen = new Set<string>();
  let nextRow = 0;
  const place = (node: N): void => {
    if (seen.has(node.uid)) return;
    seen.add(node.uid);
    const column = columns.get(node.uid)!;
    const first = nextRow;
    const dependents = nodes.filter(({ uid, owners }) => owners.includes(node.uid) && !seen.has(uid));
    for (const dependent of dependents) place(dependent);
    if (nextRow === first) nextRow++;
    placed.push({ node, column, row: first });
  };
  for (const node of nodes.filter(({ uid }) => columns.get(uid) === 0)) place(node);
  for (const node of nodes) place(node);
  return { nodes: placed, columns: Math.max(0, ...columns.values()) + 1, rows: nextRow };
}
