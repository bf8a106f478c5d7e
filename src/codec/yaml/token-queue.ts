const rowSize = 4;
const firstSize = 64 * rowSize;

/** A queue of tokens in document order, stored as rows of numbers, because allocating an object per token is slow. */
export class TokenQueue {
  #rows = new Int32Array(firstSize);
  #head = 0;
  #tail = 0;
  #taken = 0;

  /** The kind of the next token; zero if the queue is empty. */
  get kind(): number {
    return this.#head === this.#tail ? 0 : this.#rows[this.#head]!;
  }

  get line(): number {
    return this.#rows[this.#head + 1]!;
  }

  get from(): number {
    return this.#rows[this.#head + 2]!;
  }

  get to(): number {
    return this.#rows[this.#head + 3]!;
  }

  /** The sequence number of the next token. */
  get number(): number {
    return this.#taken;
  }

  /** Returns the sequence number of the token. */
  add(kind: number, line: number): number {
    if (this.#tail === this.#rows.length) this.#makeRoom();
    const row = this.#tail;
    this.#rows[row] = kind;
    this.#rows[row + 1] = line;
    this.#tail = row + rowSize;
    return this.#taken + (row - this.#head) / rowSize;
  }

  /** Sets `from` and `to` of the token that was added last. */
  setRange(from: number, to: number): void {
    this.#rows[this.#tail - 2] = from;
    this.#rows[this.#tail - 1] = to;
  }

  take(): void {
    this.#head += rowSize;
    this.#taken++;
    if (this.#head !== this.#tail) return;
    this.#head = 0;
    this.#tail = 0;
  }

  /** Returns zero if the token has been taken. */
  kindOf(number: number): number {
    return number < this.#taken ? 0 : this.#rows[this.#rowOf(number)]!;
  }

  lineOf(number: number): number {
    return this.#rows[this.#rowOf(number) + 1]!;
  }

  fromOf(number: number): number {
    return this.#rows[this.#rowOf(number) + 2]!;
  }

  toOf(number: number): number {
    return this.#rows[this.#rowOf(number) + 3]!;
  }

  setKind(number: number, kind: number): void {
    this.#rows[this.#rowOf(number)] = kind;
  }

  #rowOf(number: number): number {
    return this.#head + (number - this.#taken) * rowSize;
  }

  #makeRoom(): void {
    const waiting = this.#rows.subarray(this.#head, this.#tail);
    if (waiting.length > this.#rows.length / 2) this.#rows = new Int32Array(this.#rows.length * 2);
    this.#rows.set(waiting);
    this.#tail = waiting.length;
    this.#head = 0;
  }
}
