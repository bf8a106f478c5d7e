/** What all warnings of an answer may weigh before each of them is cut, in characters. */
const mostCharacters = 4 * 1024;
/** To how much a single warning is cut then. */
const mostPerWarning = 256;

/**
 * The values of the `Warning` headers for some texts, each of them once. When they would make the headers larger than
 * clients can take, long texts are cut and the last ones are left out.
 */
export function warningHeaders(texts: readonly string[]): string[] {
  // A control character would end the header.
  const distinct = [...new Set(texts)].filter((text) => text !== '' && !/[\x00-\x1f\x7f]/.test(text));
  const whole = distinct.map((text) => Array.from(text));
  const total = whole.reduce((sum, characters) => sum + characters.length, 0);
  if (total <= mostCharacters) return distinct.map(headerValue);
  const values: string[] = [];
  let written = 0;
  for (const characters of whole) {
    if (written >= mostCharacters) break;
    const kept = characters.slice(0, mostPerWarning);
    written += kept.length;
    values.push(headerValue(kept.join('')));
  }
  return values;
}

function headerValue(text: string): string {
  const quoted = `299 - "${text.replace(/["\\]/g, '\\$&')}"`;
  // Header values are bytes, and node wants each of them as one character.
  return Buffer.from(quoted).toString('latin1');
}
