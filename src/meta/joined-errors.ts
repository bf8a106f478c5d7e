/** Joins error texts into one, without duplicates. Returns the empty string when there are none. */
export function joinedErrors(texts: readonly string[]): string {
  const different = [...new Set(texts)].filter((text) => text !== '');
  return different.length > 1 ? `[${different.join(', ')}]` : (different[0] ?? '');
}
