/** The total length of the warnings, in characters, beyond which each of them is truncated. */
const maxCharacters = 4 * 1024;
/** The length that a warning is truncated to. */
const maxPerWarning = 256;

/**
 * The `Warning` headers of one response, each text once. When they would exceed what clients accept, long texts are
 * truncated and the last ones are dropped. The last header then states how many.
 */
export class WarningHeaders {
  /** The header values in order. Always the same array. */
  readonly values: string[] = [];
  readonly #texts = new Set<string>();
  #characters = 0;
  #isCut = false;
  #leftOut = 0;

  add(text: string): void {
    // A control character would end the header.
    if (text === '' || this.#texts.has(text) || /[\x00-\x1f\x7f]/.test(text)) return;
    this.#texts.add(text);
    if (this.#isCut) {
      this.#addCut(text);
      return;
    }
    this.#characters += characterCount(text);
    if (this.#characters <= maxCharacters) this.values.push(headerValue(text));
    else this.#cutAll();
  }

  #cutAll(): void {
    this.#isCut = true;
    this.#characters = 0;
    this.values.length = 0;
    for (const text of this.#texts) this.#addCut(text);
  }

  #addCut(text: string): void {
    if (this.#characters < maxCharacters) {
      const kept = Array.from(text).slice(0, maxPerWarning);
      this.#characters += kept.length;
      this.values.push(headerValue(kept.join('')));
      return;
    }
    if (this.#leftOut > 0) this.values.pop();
    this.#leftOut++;
    this.values.push(`299 - "${this.#leftOut} more ${this.#leftOut === 1 ? 'warning is' : 'warnings are'} not shown"`);
  }
}

function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function headerValue(text: string): string {
  const quoted = `299 - "${text.replace(/["\\]/g, '\\$&')}"`;
  // Header values are bytes. Node expects one character for each.
  return Buffer.from(quoted).toString('latin1');
}
