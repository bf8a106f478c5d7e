/** Since Node 21; not yet in the type library. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };

/** The text of a value in canonical form. Integers of 64 bits may be bigints. What is undefined is absent. */
export function jsonText(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? rawJSON(String(item)) : item));
}

/** Equal values in canonical form have equal texts. */
export function isSame(left: unknown, right: unknown): boolean {
  return jsonText(left) === jsonText(right);
}
