/** Counts the relations between objects and nodes. Contains only objects that are in use. */
export class NodeUses {
  readonly #counts = new Map<string, Map<string, number>>();

  has(object: string, node: string): boolean {
    return this.#counts.get(object)?.has(node) ?? false;
  }

  nodes(object: string): string[] {
    return [...(this.#counts.get(object)?.keys() ?? [])];
  }

  /** Returns true for the first relation between the object and the node. */
  add(object: string, node: string): boolean {
    let byNode = this.#counts.get(object);
    if (byNode === undefined) {
      byNode = new Map();
      this.#counts.set(object, byNode);
    }
    const count = byNode.get(node) ?? 0;
    byNode.set(node, count + 1);
    return count === 0;
  }

  /** Removes one relation that was added. Returns true when it was the last one between the object and the node. */
  remove(object: string, node: string): boolean {
    const byNode = this.#counts.get(object);
    const count = byNode?.get(node);
    if (byNode === undefined || count === undefined) return false;
    if (count > 1) {
      byNode.set(node, count - 1);
      return false;
    }
    byNode.delete(node);
    if (byNode.size === 0) this.#counts.delete(object);
    return true;
  }
}
