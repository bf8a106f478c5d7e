/** What all warnings of an answer may weigh before each of them is cut, in characters. */
const mostCharacters = 4 * 1024;
/** To how much a single warning is cut then. */
const mostPerWarning = 256;

/**
 * The `Warning` headers of one answer, each text once. When they would make the headers larger than clients can take,
 * long texts are cut and the last ones are left out. The last header says how many, then.
 */
export class WarningHeaders {
  /** The values, in order. The same array after every addition. */
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
    if (this.#characters <= mostCharacters) this.values.push(headerValue(text));
    else this.#cutAll();
  }

  #cutAll(): void {
    this.#isCut = true;
    this.#characters = 0;
    this.values.length = 0;
    for (const text of this.#texts) this.#addCut(text);
  }

  #addCut(text: string): void {
    if (this.#characters < mostCharacters) {
      const kept = Array.from(text).slice(0, mostPerWarning);
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
  // Header values are bytes, and node wants each of them as one character.
  return Buffer.from(quoted).toString('latin1');
}
