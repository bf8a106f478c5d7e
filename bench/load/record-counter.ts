const headerLength = 5;
const lengthAt = 3;
const applicationData = 23;
/** What TLS 1.3 adds to the content of a record: its real type and the authentication tag. */
const addedBytes = 17;

/** Counts the content of TLS 1.3 records by their headers, which are not encrypted. */
export class RecordCounter {
  readonly #onBytes: (plaintextBytes: number) => void;
  readonly #header = Buffer.alloc(headerLength);
  #headerBytes = 0;
  /** Bytes of the current record that have not arrived. */
  #missing = 0;
  /** The content of the current record, which counts when it is complete. */
  #content = 0;

  constructor(onBytes: (plaintextBytes: number) => void) {
    this.#onBytes = onBytes;
  }

  read(bytes: Buffer): void {
    let complete = 0;
    let at = 0;
    while (at < bytes.length) {
      if (this.#missing === 0) {
        this.#header[this.#headerBytes++] = bytes[at++]!;
        if (this.#headerBytes === headerLength) this.#begin();
        continue;
      }
      const taken = Math.min(this.#missing, bytes.length - at);
      at += taken;
      this.#missing -= taken;
      if (this.#missing === 0) complete += this.#content;
    }
    if (complete > 0) this.#onBytes(complete);
  }

  #begin(): void {
    if (this.#header[0] !== applicationData) throw new Error(`a TLS record of type ${this.#header[0]}`);
    this.#headerBytes = 0;
    this.#missing = this.#header.readUInt16BE(lengthAt);
    this.#content = this.#missing - addedBytes;
  }
}
