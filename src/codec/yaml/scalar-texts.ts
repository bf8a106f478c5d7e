const name = /[\w-]*/y;

/** Maps two numbers to the text of a scalar. They are a range of the document if it contains the text verbatim. */
export class ScalarTexts {
  readonly #document: string;
  readonly #texts: string[] = [];

  constructor(document: string) {
    this.#document = document;
  }

  /** Returns the first number for a text that the document does not contain verbatim. The second number is ignored. */
  keep(text: string): number {
    return -this.#texts.push(text);
  }

  get(from: number, to: number): string {
    return from >= 0 ? this.#document.slice(from, to) : this.#texts[-1 - from]!;
  }

  lengthOf(from: number, to: number): number {
    return from >= 0 ? to - from : this.#texts[-1 - from]!.length;
  }

  /** Returns the name of an anchor or alias at an offset of the document. */
  nameAt(from: number): string {
    name.lastIndex = from;
    return name.exec(this.#document)![0];
  }
}
