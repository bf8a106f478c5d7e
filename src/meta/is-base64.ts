const characters = /^[A-Za-z0-9+/]+={0,2}$/;

/** Whether a text is base64 with padding, and not empty. Fast enough for texts of megabytes. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && characters.test(text);
}
