const name = /[\w-]*/y;

/** The texts of scalars by two numbers: a range of the document where they stand in it as they are. */
export class ScalarTexts {
  readonly #document: string;
  readonly #kept: string[] = [];

  constructor(document: string) {
    this.#document = document;
  }

  /** Returns the first number for a text that does not stand in the document. The second is of no matter. */
  keep(text: string): number {
    return -this.#kept.push(text);
  }

  get(from: number, to: number): string {
    return from >= 0 ? this.#document.slice(from, to) : this.#kept[-1 - from]!;
  }

  lengthOf(from: number, to: number): number {
    return from >= 0 ? to - from : this.#kept[-1 - from]!.length;
  }

  /** The name of an anchor that stands in the document. */
  nameAt(from: number): string {
    name.lastIndex = from;
    return name.exec(this.#document)![0];
  }
}
