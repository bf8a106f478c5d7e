/** What went wrong in several places as one text, each thing once. Empty when nothing did. */
export function joinedErrors(texts: readonly string[]): string {
  const different = [...new Set(texts)].filter((text) => text !== '');
  return different.length > 1 ? `[${different.join(', ')}]` : (different[0] ?? '');
}
