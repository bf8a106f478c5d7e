/** The maximum total size of the values of a config map or a secret. */
export const maxDataBytes = 1024 * 1024;

/** Returns the decoded size of canonical base64. */
export function base64Size(text: string): number {
  const { length } = text;
  if (length === 0) return 0;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (length / 4) * 3 - padding;
}
