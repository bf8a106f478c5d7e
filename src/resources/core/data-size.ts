/** How much a config map or a secret may hold. */
export const maximumDataBytes = 1024 * 1024;

/** The number of bytes that a canonical base64 text stands for. */
export function base64Size(text: string): number {
  const { length } = text;
  if (length === 0) return 0;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (length / 4) * 3 - padding;
}
